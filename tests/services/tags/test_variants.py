"""The machine that a variant builds a part of."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.kinds.hardware import hardware_of
from registry.domain.reference import Tag as TagName
from registry.models import Tag, User
from registry.services.core.permissions import Actor
from registry.services.tags.variants import machine_of
from registry.services.versions import families
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "c", "model": "x", "hardware": {"category": "board", "model": "Seven"}}


def model_of(tag: str) -> object:
    return hardware_of(machine_of(Tag.objects.get(text=tag))).get("model")


def mark_as_family(tag: str, user: User) -> None:
    families.set_family(TagName.parse(tag), is_family=True, actor=Actor.operator(user))


def test_machine_of_a_variant_is_the_target_of_its_name() -> None:
    publish("acme/board", BOARD)
    publish("acme/board:npu", {"kind": "ext_dev", "model": "y"})
    with CaptureQueriesContext(connection) as queries:
        assert model_of("acme/board:npu") == "Seven"
    assert len(queries) == 2  # with that of the tag
    with CaptureQueriesContext(connection) as queries:
        assert machine_of(Tag.objects.get(text="acme/board")) is None
    assert len(queries) == 1


def test_variant_without_a_name_or_of_a_yanked_one_has_no_machine() -> None:
    publish("acme/lone:npu", {"kind": "ext_dev", "model": "y"})
    assert machine_of(Tag.objects.get(text="acme/lone:npu")) is None
    publish("acme/lone", BOARD)
    yank("acme/lone@1.0.0", "wrong")
    assert machine_of(Tag.objects.get(text="acme/lone:npu")) is None


def test_family_is_no_machine_and_has_none(alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/board:npu", {"kind": "ext_dev", "model": "y"})
    mark_as_family("acme/board:npu", alice)
    assert machine_of(Tag.objects.get(text="acme/board:npu")) is None
    publish("acme/cloud", BOARD | {"model": "z"})
    publish("acme/cloud:gpu", {"kind": "cuda", "arch": "sm_80"})
    mark_as_family("acme/cloud", alice)
    assert machine_of(Tag.objects.get(text="acme/cloud:gpu")) is None
