"""Kinds in force."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import KindRevision, User
from registry.services import kinds, shipped
from tests.publishing import publish

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def test_new_revision_is_in_force_at_once(alice: User, acme: object) -> None:
    old = publish("acme/board", BOARD)
    schema = shipped.kinds()["llvm"]
    cores = schema["properties"]["num-cores"] | {"maximum": 2}
    narrowed = schema | {"properties": schema["properties"] | {"num-cores": cores}}
    revision = kinds.revise("llvm", narrowed, author=alice)
    assert revision is not None
    assert revision.number == 2
    with pytest.raises(Refused) as refused:
        publish("acme/other", BOARD)
    assert refused.value.faults[0].code == "VALUE_RANGE"
    assert old.checked_against.get(revision__kind__name="llvm").revision.number == 1


def test_same_schema_is_no_revision(alice: User) -> None:
    before = KindRevision.objects.count()
    assert kinds.revise("llvm", shipped.kinds()["llvm"], author=alice) is None
    assert KindRevision.objects.count() == before


def test_schema_that_cannot_describe_a_kind_is_refused(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        kinds.revise("bad", {"properties": {"x": {"$ref": "https://e.com/"}}}, author=alice)
    assert refused.value.code == Code.BODY_INVALID
    assert len(refused.value.faults) >= 3
    assert "bad" not in kinds.current().kinds


def test_unknown_kind_draws_near_ones() -> None:
    with pytest.raises(Refused) as refused:
        kinds.describe("lvm")
    assert (refused.value.code, refused.value.suggestions[0]) == (Code.KIND_UNKNOWN, "llvm")


def test_kinds_in_force_are_one_query() -> None:
    kinds.current()
    with CaptureQueriesContext(connection) as captured:
        kinds.current()
    assert len(captured) == 1
