"""Dry runs of publishing."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.domain.version_number import Bump
from registry.models import Event, User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.services.versions.checking import check, detect_importer
from registry.services.versions.drafting import Draft
from tests.publishing import counts, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {
    "kind": "llvm",
    "mtriple": "aarch64-unknown-linux-gnu",
    "mcpu": "cortex-a72",
    "num-cores": 4,
}


def dry_run(tag: str, target: object) -> Draft:
    return check(Tag.parse(tag), json.dumps(target))


def test_dry_run_predicts_publishing() -> None:
    publish("acme/board", BOARD)
    body = BOARD | {"num-cores": 8}
    draft = dry_run("acme/board", body)
    version = publish("acme/board", body)
    assert (draft.number, draft.digest) == (version.number, version.digest)
    assert draft.resolution.text.decode() == version.target
    assert draft.bump == Bump.MAJOR


def test_dry_run_writes_nothing() -> None:
    before = counts(), Event.objects.count()
    with CaptureQueriesContext(connection) as captured:
        dry_run("acme/board", BOARD)
    assert (counts(), Event.objects.count()) == before
    assert not [query for query in captured if not query["sql"].startswith("SELECT")]


def test_namespace_need_not_exist_yet() -> None:
    assert dry_run("new-vendor/board", BOARD).bump == Bump.FIRST


def test_alias_is_rejected_as_in_publishing(alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/alias", Reference.parse("acme/board"), actor=Actor.operator(alice))
    with pytest.raises(Refused) as refused:
        dry_run("acme/alias", BOARD)
    assert (refused.value.code, refused.value.suggestions) == (Code.CONFLICT, ("acme/board",))


def test_unchanged_body_has_no_number() -> None:
    publish("acme/board", BOARD)
    draft = dry_run("acme/board", BOARD)
    assert (draft.bump, draft.number) == (None, None)


def test_diff_has_the_origins_of_both_sides() -> None:
    publish("acme/base", BOARD)
    publish("acme/board", {"tag": "acme/base"})
    (change,) = dry_run("acme/board", {"tag": "acme/base", "num-cores": 2}).diff
    assert change.pointer == "/num-cores"
    assert change.old is not None
    assert change.new is not None
    assert (change.old.value, change.old.origin) == (4, "acme/base@1.0.0")
    assert (change.new.value, change.new.origin) == (2, None)
    assert change.consumers == ("tuning",)


def test_equal_target_of_another_tag_is_a_lint() -> None:
    publish("acme/board", BOARD)
    publish("acme/board:b", {"tag": "acme/board"})
    (lint,) = dry_run("acme/copy", BOARD).lints
    assert (lint.code, lint.suggestions) == ("TWIN", ("acme/board", "acme/board:b"))
    assert dry_run("acme/board:c", BOARD).lints == ()


def test_equal_target_is_found_after_any_number_of_variants() -> None:
    publish("acme/zzz", BOARD)
    for number in range(8):
        publish(f"acme/board:v{number}", BOARD)
    (lint,) = dry_run("acme/board", BOARD).lints
    assert (lint.code, lint.suggestions) == ("TWIN", ("acme/zzz",))


def test_target_shared_by_many_tags_is_no_lint() -> None:
    for number in range(6):
        publish(f"acme/board-{number}", BOARD)
    assert dry_run("acme/one-more", BOARD).lints == ()


def test_cpu_unknown_to_llvm_is_a_lint() -> None:
    (lint,) = dry_run("acme/board", BOARD | {"mcpu": "cortex-a73x"}).lints
    assert (lint.code, lint.pointer) == ("MCPU_UNKNOWN", "/mcpu")
    assert "cortex-a73" in lint.suggestions


def test_dry_run_has_the_faults_of_publishing() -> None:
    with pytest.raises(Refused) as refused:
        dry_run("acme/board", BOARD | {"num-core": 4})
    assert refused.value.faults[0].suggestions == ("num-cores",)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("cuda -arch=sm_80", "tvm-string"),
        ("clang -march=haswell -c a.c", "clang"),
        ("--iree-cuda-target=sm_80", "iree"),
        ({"kind": "cuda"}, "tvm"),
        ("neither of them", "tvm-string"),
    ],
)
def test_importer_of_a_description_is_detected(source: Json, name: str) -> None:
    assert detect_importer(source).name == name
