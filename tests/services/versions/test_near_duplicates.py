"""The search for near duplicates of a draft."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag
from registry.services.versions import checking, near_duplicates, resolving
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {
    "kind": "llvm",
    "mtriple": "riscv64-unknown-elf",
    "mcpu": "sifive-u74",
    "mattr": ["+c", "+d"],
    "num-cores": 6,
}


def find_near(body: dict[str, Any], tag: str = "acme/mine") -> dict[str, list[str]]:
    draft = checking.check(Tag.parse(tag), json.dumps(body))
    duplicates = near_duplicates.find_near_duplicates(draft)
    return {
        duplicate.exact: [change.pointer for change in duplicate.changes]
        for duplicate in duplicates
    }


def a100(**changes: Any) -> dict[str, Any]:
    target = json.loads(resolving.resolve(Reference.parse("nvidia/a100")).version.target)
    return {**target, **changes}


def test_catalogue_tag_with_one_changed_value_is_found() -> None:
    duplicates = find_near(a100(l2_cache_size_bytes=1))
    assert duplicates["nvidia/nvidia-a100@" + next(iter(duplicates)).partition("@")[2]] == [
        "/l2_cache_size_bytes"
    ]


def test_at_most_two_leaves_differ() -> None:
    publish("acme/one", BOARD | {"num-cores": 8})
    publish("acme/two", BOARD | {"num-cores": 8, "mcpu": "sifive-u54"})
    publish("acme/three", BOARD | {"num-cores": 8, "mcpu": "sifive-u54", "model": "x"})
    assert find_near(BOARD) == {
        "acme/one@1.0.0": ["/num-cores"],
        "acme/two@1.0.0": ["/mcpu", "/num-cores"],
    }


def test_nearest_come_first() -> None:
    publish("acme/far", BOARD | {"num-cores": 8, "model": "x"})
    publish("acme/same", BOARD)
    publish("acme/near", BOARD | {"model": "x"})
    assert list(find_near(BOARD)) == ["acme/same@1.0.0", "acme/near@1.0.0", "acme/far@1.0.0"]


def test_list_counts_as_one_leaf() -> None:
    publish("acme/one", BOARD | {"mattr": ["+zba", "+zbb", "+v"]})
    assert find_near(BOARD) == {"acme/one@1.0.0": ["/mattr"]}


def test_hardware_facts_do_not_count() -> None:
    hardware = {"vendor": "StarFive", "cores": 4, "family": "JH71", "launched": "2022"}
    publish("acme/one", BOARD | {"hardware": hardware})
    assert find_near(BOARD) == {"acme/one@1.0.0": []}


def test_target_of_another_kind_is_not_a_duplicate() -> None:
    publish("acme/one", {"kind": "c", "mcpu": "sifive-u74", "model": "x"})
    assert find_near({"kind": "ext_dev", "model": "x"}) == {}


def test_own_versions_and_yanked_tags_are_not_duplicates() -> None:
    publish("acme/mine", BOARD)
    publish("acme/gone", BOARD | {"num-cores": 8})
    yank("acme/gone@1.0.0")
    assert find_near(BOARD | {"num-cores": 7}) == {}


def test_only_newest_versions_count() -> None:
    publish("acme/one", BOARD)
    publish("acme/one", BOARD | {"mcpu": "x1", "num-cores": 1, "mattr": ["+v"]})
    assert find_near(BOARD) == {}


def test_at_most_five_are_returned() -> None:
    for number in range(7):
        publish(f"acme/board-{number}", BOARD | {"num-cores": 8 + number})
    assert len(find_near(BOARD)) == 5


def test_mixins_are_compared_with_mixins() -> None:
    publish("acme/crt", {"runtime": "crt", "executor": "aot", "model": "x"})
    assert find_near({"runtime": "crt", "executor": "aot", "model": "y"}) == {
        "acme/crt@1.0.0": ["/model"]
    }


def test_body_without_leaves_has_no_near_duplicates() -> None:
    assert find_near({"kind": "llvm"}) == {}


def count_queries(body: dict[str, Any]) -> int:
    draft = checking.check(Tag.parse("acme/mine"), json.dumps(body))
    with CaptureQueriesContext(connection) as captured:
        near_duplicates.find_near_duplicates(draft)
    return len(captured)


def test_queries_do_not_grow_with_the_catalogue() -> None:
    publish("acme/board", BOARD | {"num-cores": 7})
    before = count_queries(BOARD)
    for number in range(10):
        publish(f"acme/board-{number}", BOARD | {"num-cores": 8 + number})
    assert count_queries(BOARD) == before
