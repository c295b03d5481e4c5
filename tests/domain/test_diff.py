from typing import Any

import pytest
from hypothesis import given

from registry.domain.diff import ComparedKey, compare_keys, diff_targets
from registry.domain.document import Json, is_same_json
from tests.domain.builders import KINDS, Library, leaves, target_of
from tests.domain.strategies import patches, targets
from ttag_rules.pointer import natural_key

TARGET: dict[str, Any] = {
    "kind": "composite",
    "devices": {"m10": {"kind": "cuda", "arch": "sm_90"}, "m9": {"kind": "c", "libs": ["a"]}},
    "executor": {"kind": "vm"},
    "hardware": {"cores": 1},
}


@given(targets)
def test_a_target_does_not_differ_from_itself(body: Json) -> None:
    target = target_of(body)
    assert diff_targets(target, target, KINDS) == ()


@given(targets, targets)
def test_a_diff_contains_exactly_the_differing_leaves(one: Json, two: Json) -> None:
    old, new = target_of(one), target_of(two)
    before, after = leaves(old), leaves(new)
    differing = {
        pointer
        for pointer in before.keys() | after.keys()
        if pointer not in before
        or pointer not in after
        or not is_same_json(before[pointer], after[pointer])
    }
    changes = diff_targets(old, new, KINDS)
    assert [change.pointer for change in changes] == sorted(differing, key=natural_key)
    for change in changes:
        assert (change.old is None) == (change.pointer not in before)
        assert (change.new is None) == (change.pointer not in after)
        assert change.old is None or is_same_json(change.old.value, before[change.pointer])
        assert change.new is None or is_same_json(change.new.value, after[change.pointer])
        assert change.consumers


@given(patches(), patches())
def test_diffs_of_mixins_are_symmetric_in_length(one: Json, two: Json) -> None:
    old, new = target_of(one), target_of(two)
    there, back = diff_targets(old, new, KINDS), diff_targets(new, old, KINDS)
    assert [c.pointer for c in there] == [c.pointer for c in back]
    assert [c.consumers for c in there] == [c.consumers for c in back]
    assert diff_targets(old, old, KINDS) == ()


@pytest.mark.parametrize(
    ("patch", "pointer", "consumers", "affects"),
    [
        ({"devices": {"m10": {"arch": "sm_80"}}}, "/devices/m10/arch", ("codegen",), True),
        ({"devices": {"m9": {"model": "x"}}}, "/devices/m9/model", ("annotation",), True),
        ({"devices": {"m9": {"libs": {"$append": ["b"]}}}}, "/devices/m9/libs", ("codegen",), True),
        ({"executor": "graph"}, "/executor/kind", ("graph-executor",), False),
        ({"runtime": "cpp"}, "/runtime/kind", ("runtime",), False),
        ({"flow": {"link-params": True}}, "/flow/link-params", ("graph-executor",), False),
        ({"flow": {"a.b": 1}}, "/flow/a.b", ("flow",), True),
        ({"hardware": {"cores": 2}}, "/hardware/cores", ("annotation",), False),
    ],
)
def test_a_change_names_its_consumers(
    patch: dict[str, Json], pointer: str, consumers: tuple[str, ...], affects: bool
) -> None:
    library = Library()
    library.publish("t/a", TARGET)
    new = library.resolve({"tag": "t/a", **patch}).target
    (change,) = diff_targets(TARGET, new, KINDS)
    assert (change.pointer, change.consumers, change.affects_tuning) == (
        pointer,
        consumers,
        affects,
    )


def test_consumers_on_either_side_are_included() -> None:
    (kind, mcpu) = diff_targets({"kind": "c", "mcpu": "x"}, {"kind": "cuda", "mcpu": "y"}, KINDS)
    assert (kind.pointer, mcpu.pointer) == ("/kind", "/mcpu")
    assert mcpu.consumers == ("annotation", "codegen")


def test_a_change_names_the_origin_of_each_side() -> None:
    (change,) = diff_targets(
        {"kind": "c", "mcpu": "x"},
        {"kind": "c", "mcpu": "y"},
        KINDS,
        old_provenance={"/mcpu": "a/b@1.0.0"},
        new_provenance={"/mcpu": None},
    )
    assert change.old
    assert change.new
    assert (change.old.origin, change.new.origin) == ("a/b@1.0.0", None)


def test_changes_are_in_natural_order() -> None:
    new: Json = {"kind": "composite", "devices": {"m2": {"kind": "c"}}}
    assert [change.pointer for change in diff_targets(TARGET, new, KINDS)] == [
        "/devices/m2/kind",
        "/devices/m9/kind",
        "/devices/m9/libs",
        "/devices/m10/arch",
        "/devices/m10/kind",
        "/executor/kind",
        "/hardware/cores",
    ]


@pytest.mark.parametrize(
    ("old", "new"), [(1, True), (0, False), ("1", 1), ([], [False]), ([1], [True])]
)
def test_values_equal_only_in_python_differ(old: Json, new: Json) -> None:
    before, after = ({"kind": "c", "flow": {"a.b": value}} for value in (old, new))
    assert [change.pointer for change in diff_targets(before, after, KINDS)] == ["/flow/a.b"]  # type: ignore[arg-type]


def test_consumers_of_a_mixins_options_depend_on_its_kinds() -> None:
    def consumers(option: dict[str, Json]) -> tuple[str, ...]:
        (change,) = diff_targets({"mcpu": "x", **option}, {"mcpu": "y", **option}, KINDS)
        return change.consumers

    assert consumers({"arch": "sm_90"}) == ("annotation",)  # only cuda has both options
    assert consumers({"num-cores": 4}) == ("codegen",)  # only llvm does
    assert consumers({}) == ("annotation", "codegen")


def test_tuning_keys_are_kept_lost_or_new() -> None:
    keys = compare_keys({"": "a", "/host": "b"}, {"": "c", "/host": "b"})
    assert keys.kept == (ComparedKey("b", 1, ("/host",), ("/host",)),)
    assert keys.lost == (ComparedKey("a", 1, ("",), ()),)
    assert keys.new == (ComparedKey("c", 1, (), ("",)),)


def test_equal_tuning_keys_are_counted() -> None:
    old = {"/devices/10": "a", "/devices/2": "a", "/devices/1": "a"}
    keys = compare_keys(old, {"/devices/0": "a"})
    places = ("/devices/1", "/devices/2", "/devices/10")
    assert keys.kept == (ComparedKey("a", 1, places, ("/devices/0",)),)
    assert keys.lost == (ComparedKey("a", 2, places, ("/devices/0",)),)
    assert keys.new == ()


def test_tuning_keys_are_in_the_order_of_their_leaves() -> None:
    keys = {"/devices/10": "a", "/devices/9": "b", "": "c"}
    assert [key.key for key in compare_keys(keys, {}).lost] == ["c", "b", "a"]
