"""Options that moved off the target, with their new owners and notes."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.tvm.moved_options import OptionMove
from tests.domain.strategies import targets

C: dict[str, Any] = {"kind": "c"}
CUDA: dict[str, Any] = {"kind": "cuda"}
LINKED = {"link-params": True}
AOT = {"kind": "aot", "unpacked-api": True}


@pytest.mark.parametrize(
    ("stated", "settled", "noted"),
    [
        ({}, {}, {}),
        ({"mcpu": "cortex-m7"}, {"mcpu": "cortex-m7"}, {}),
        ({"link-params": True}, {"flow": LINKED}, {"/link-params"}),
        (
            {"link-params": True, "flow": {"tir.disable_vectorize": True}},
            {"flow": {"tir.disable_vectorize": True, "link-params": True}},
            {"/link-params"},
        ),
        ({"link-params": True, "flow": LINKED}, {"flow": LINKED}, {"/link-params"}),
        ({"link-params": False, "flow": LINKED}, {"flow": LINKED}, {"/link-params"}),
        (
            {"executor": {"kind": "graph", "link-params": True}},
            {"executor": {"kind": "graph"}, "flow": LINKED},
            {"/executor/link-params"},
        ),
        ({"unpacked-api": True}, {"executor": AOT}, {"/unpacked-api"}),
        ({"unpacked-api": False}, {}, {"/unpacked-api"}),
        ({"interface-api": "packed"}, {}, {"/interface-api"}),
        (
            {"unpacked-api": False, "executor": "graph"},
            {"executor": "graph"},
            {"/unpacked-api"},
        ),
        (
            {"unpacked-api": False, "executor": "aot"},
            {"executor": {"kind": "aot", "unpacked-api": False}},
            {"/unpacked-api"},
        ),
        (
            {"unpacked-api": True, "interface-api": "c", "executor": "aot", "runtime": "c"},
            {"executor": {**AOT, "interface-api": "c"}, "runtime": "crt"},
            {"/unpacked-api", "/interface-api", "/runtime"},
        ),
        (  # checking says that graph has no such option
            {"unpacked-api": True, "executor": "graph"},
            {"executor": {"kind": "graph", "unpacked-api": True}},
            {"/unpacked-api"},
        ),
        ({"system-lib": True}, {"runtime": {"kind": "cpp", "system-lib": True}}, {"/system-lib"}),
        (
            {"system-lib": True, "runtime": "c"},
            {"runtime": {"kind": "crt", "system-lib": True}},
            {"/system-lib", "/runtime"},
        ),
        ({"runtime": "c++"}, {"runtime": "cpp"}, {"/runtime"}),
        ({"runtime": {"kind": "c"}}, {"runtime": {"kind": "crt"}}, {"/runtime"}),
        ({"runtime": "cuda-graph"}, {"runtime": "cuda-graph"}, {}),
        ({"executor": 5, "unpacked-api": True}, {"executor": 5}, set()),
    ],
)
def test_options_move_to_their_owners(
    stated: dict[str, Any], settled: dict[str, Any], noted: set[str]
) -> None:
    settling = OptionMove()
    assert settling.node({**C, **stated}) == {**C, **settled}
    assert {note.pointer for note in settling.notes} == set(noted)


@pytest.mark.parametrize(
    ("target", "settled", "noted"),
    [
        (
            {**CUDA, "host": {**C, "executor": "graph"}},
            {**CUDA, "executor": "graph", "host": C},
            {"/host"},
        ),
        (
            {**CUDA, "host": {**C, "system-lib": True}},
            {**CUDA, "runtime": {"kind": "cpp", "system-lib": True}, "host": C},
            {"/host/system-lib", "/host"},
        ),
        ({**CUDA, "runtime": "cpp", "host": {**C, "runtime": "cpp"}}, None, set()),
        (
            {**CUDA, "runtime": "cpp", "host": {**C, "runtime": "crt"}},
            {**CUDA, "runtime": "cpp", "host": {**C, "runtime": "crt"}},
            set(),
        ),
        (
            {**CUDA, "host": {**C, "host": {**C, "link-params": True}}},
            {**CUDA, "flow": LINKED, "host": {**C, "host": C}},
            {"/host/host/link-params", "/host/host", "/host"},
        ),
        (
            {**CUDA, "host": {**C, "runtime": {"kind": "crt"}, "flow": LINKED}},
            {**CUDA, "host": {**C, "runtime": {"kind": "crt"}, "flow": LINKED}},
            set(),
        ),
        ({**CUDA, "host": "llvm"}, {**CUDA, "host": "llvm"}, set()),
    ],
)
def test_shared_parts_of_a_host_move_to_its_owner(
    target: dict[str, Any], settled: dict[str, Any] | None, noted: set[str]
) -> None:
    settling = OptionMove()
    expected = settled if settled is not None else {**CUDA, "runtime": "cpp", "host": C}
    assert settling.node(target) == expected
    assert {note.pointer for note in settling.notes} == noted


@pytest.mark.parametrize("labelled", [False, True])
def test_devices_keep_their_own_parts(labelled: bool) -> None:
    old, new = {**C, "link-params": True}, {**C, "flow": LINKED}
    target: Any = {"kind": "composite", "devices": [CUDA, "llvm", old]}
    expected: Any = {"kind": "composite", "devices": [CUDA, "llvm", new]}
    if labelled:
        for item in (target, expected):
            item["devices"] = dict(zip("abc", item["devices"], strict=True))
    settling = OptionMove()
    assert settling.node(target, "/target") == expected
    place = "/target/devices/c" if labelled else "/target/devices/2"
    assert [note.pointer for note in settling.notes] == [f"{place}/link-params"]


def test_a_contradiction_is_noted_with_both_values() -> None:
    settling, target = OptionMove(), {**C, "link-params": False, "flow": LINKED}
    settling.node(target)
    (note,) = settling.notes
    assert note.message == "link-params is true in the flow, but here it is false"


@given(targets)
def test_a_target_without_old_options_is_unchanged(target: dict[str, Any]) -> None:
    target = _silenced(target)
    settling = OptionMove()
    assert settling.node(target) == target
    assert not settling.notes


def _silenced(value: Any) -> Any:
    if isinstance(value, list):
        return [_silenced(item) for item in value]
    if not isinstance(value, dict):
        return value
    silenced = {key: _silenced(item) for key, item in value.items()}
    if isinstance(silenced.get("host"), dict):
        for name in ("executor", "runtime", "flow"):
            silenced["host"].pop(name, None)
    return silenced
