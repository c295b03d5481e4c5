"""Faults of a split layout, each at its pointer and all together."""

from typing import Any

import pytest

from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.split_layout import TARGETS, TargetUse, layout_faults, target_uses

LLVM: Json = {"kind": "llvm"}


def found(layout: Any) -> dict[str, Fault]:
    by_pointer = {fault.pointer: fault for fault in layout_faults(layout)}
    assert len(by_pointer) == len(list(layout_faults(layout))), "two faults at one place"
    return by_pointer


def codes(layout: Any) -> dict[str, str]:
    return {pointer: fault.code for pointer, fault in found(layout).items()}


def layout(targets: Any, **executors: Any) -> dict[str, Any]:
    return {"targets": targets, "executors": executors}


@pytest.mark.parametrize(
    "right",
    [
        layout({"cpu": LLVM}, main={"targets": ["cpu"]}),
        layout({"cpu": "llvm"}, main={"targets": "cpu", "target_host": "cpu"}),
        layout({"cpu": LLVM, "gpu": "cuda"}, main={"targets": ["gpu"], "target_host": ["cpu"]}),
        layout({"cpu": LLVM}, main={"targets": ["cpu"], "target_host": []}),
        layout({"cpu": LLVM}, main={"targets": ["cpu"], "target_host": None}),
        layout({"cpu": LLVM}, a={"targets": ["cpu"]}, b={"targets": ["cpu"]}),
        layout({"a.cpu": LLVM}, a={"targets": ["a.cpu"]}, b={"targets": ["a.cpu"]}),
        layout({"0": LLVM, "1": "cuda"}, main={"targets": ["0", "1"]}),
        layout({"": LLVM}, **{"": {"targets": [""]}}),
        layout({"": LLVM, "gpu": "cuda"}, a={"targets": [""]}, b={"targets": ["gpu"]}),
        layout({"0.": LLVM, "1.": "c"}, **{"0": {"targets": ["0."]}, "1": {"targets": ["1."]}}),
        layout({"cpu": LLVM}, main={"targets": ["cpu"]}) | {"dropped": [{"pointer": "/libs"}]},
    ],
)
def test_valid_layouts_have_no_faults(right: Any) -> None:
    assert not list(layout_faults(right))


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ([], {"": "VALUE_TYPE"}),
        ({"targets": {"cpu": LLVM}}, {"": "OPTION_MISSING"}),
        (layout({}), {"/targets": "OPTION_MISSING", "/executors": "OPTION_MISSING"}),
        (layout([], main={"targets": "cpu"}), {"/targets": "VALUE_TYPE"}),
        (layout({"cpu": 5}, main={"targets": "cpu"}), {"/targets/cpu": "VALUE_TYPE"}),
        ({"targets": {"cpu": "c"}, "executors": "cpu"}, {"/executors": "VALUE_TYPE"}),
        (layout({"cpu": LLVM}, main=["cpu"]), {"/executors/main": "VALUE_TYPE"}),
        (layout({"cpu": LLVM}, main={}), {"/executors/main": "OPTION_MISSING"}),
        (layout({"cpu": LLVM}, main={"targets": []}), {"/executors/main/targets": "VALUE_RANGE"}),
        (layout({"cpu": LLVM}, main={"targets": 1}), {"/executors/main/targets": "VALUE_TYPE"}),
        (
            layout({"cpu": LLVM}, main={"targets": ["cpu", None]}),
            {"/executors/main/targets/1": "VALUE_TYPE"},
        ),
        (
            layout({"cpu": LLVM, "gpu": LLVM}, main={"targets": ["cpu"]}),
            {"/targets/gpu": "TARGET_UNUSED"},
        ),
        (
            layout({"cpu": LLVM}, main={"targets": ["cpu", "gpu"], "target_host": "npu"}),
            {
                "/executors/main/targets/1": "TARGET_UNKNOWN",
                "/executors/main/target_host": "TARGET_UNKNOWN",
            },
        ),
        (
            layout({"cpu": LLVM}, main={"targets": ["cpu", "cpu"]}),
            {"/executors/main/targets/1": "TARGET_TWICE"},
        ),
        (
            layout(
                {"a.cpu": LLVM, "b.cpu": "c"},
                a={"targets": ["a.cpu", "b.cpu"]},
                b={"targets": "b.cpu"},
            ),
            {"/executors/a/targets/1": "TARGET_TWICE"},
        ),
        (
            layout({"a": LLVM, "b": LLVM}, main={"targets": "a", "target_host": ["a", "b"]}),
            {"/executors/main/target_host": "VALUE_RANGE"},
        ),
        (
            layout(
                {"cpu": LLVM},
                main={"targets": "cpu", "executor": 1, "runtime": [], "flow-config": "aot"},
            ),
            {
                "/executors/main/executor": "VALUE_TYPE",
                "/executors/main/runtime": "VALUE_TYPE",
                "/executors/main/flow-config": "VALUE_TYPE",
            },
        ),
        (
            layout({"cpu": LLVM}, main={"targets": "cpu"}) | {"dropped": "all"},
            {"/dropped": "VALUE_TYPE"},
        ),
    ],
)
def test_invalid_layouts_have_faults_at_their_pointers(
    wrong: Any, expected: dict[str, str]
) -> None:
    assert codes(wrong) == expected


@pytest.mark.parametrize("name", ["Cpu", "kind", "tag", "1cpu", "01", "a" * 33, "a b", ".a.b"])
def test_invalid_labels_are_rejected(name: str) -> None:
    as_target = layout({name: LLVM}, main={"targets": [name]})
    assert "LABEL_INVALID" in codes(as_target).values()
    as_executor = layout({"cpu": LLVM}, **{name: {"targets": ["cpu"]}})
    assert codes(as_executor) == {f"/executors/{name}": "LABEL_INVALID"}


def test_the_qualifier_of_a_target_must_be_an_executor() -> None:
    (fault,) = layout_faults(layout({"dps.cpu": LLVM}, dsp={"targets": ["dps.cpu"]}))
    assert (fault.pointer, fault.code) == ("/targets/dps.cpu", "LABEL_INVALID")
    assert "dps" in fault.message


@pytest.mark.parametrize(
    ("names", "misplaced"),
    [(["0", "cpu"], ["0"]), (["", "cpu"], [""]), (["", "0"], ["", "0"]), (["0", "2"], [])],
)
def test_labels_indices_and_empty_names_cannot_be_mixed(
    names: list[str], misplaced: list[str]
) -> None:
    beside = layout(dict.fromkeys(names, LLVM), main={"targets": names})
    assert codes(beside) == {
        f"/executors/main/targets/{names.index(name)}": "LABEL_INVALID" for name in misplaced
    }
    executors = {name: {"targets": "cpu"} for name in names}
    assert codes(layout({"cpu": LLVM}, **executors)) == {
        f"/executors/{name}": "LABEL_INVALID" for name in misplaced
    }


@pytest.mark.parametrize(
    ("member", "near"),
    [("target-host", "target_host"), ("flow_config", "flow-config"), ("target", "targets")],
)
def test_an_unknown_member_suggests_a_similar_name(member: str, near: str) -> None:
    wrong = layout({"cpu": LLVM}, main={"targets": "cpu", member: []})
    (fault,) = layout_faults(wrong)
    assert (fault.pointer, fault.code) == (f"/executors/main/{member}", "OPTION_UNKNOWN")
    assert near in fault.suggestions


def test_an_unknown_target_suggests_similar_names() -> None:
    wrong = layout({"dsp-cpu": LLVM, "gpu": "cuda"}, dsp={"targets": ["dsp_cpu", "gpu"]})
    assert found(wrong)["/executors/dsp/targets/0"].suggestions == ("dsp-cpu",)
    assert codes(wrong)["/targets/dsp-cpu"] == "TARGET_UNUSED"


def test_a_malformed_executor_disables_the_unused_target_fault() -> None:
    assert set(codes(layout({"cpu": LLVM}, main=None))) == {"/executors/main"}
    assert set(codes(layout({"cpu": LLVM}, main={"target": "cpu"}))) == {
        "/executors/main",
        "/executors/main/target",
    }


def test_uses_are_read_from_a_list_or_a_single_name() -> None:
    assert target_uses({"targets": "cpu"}, TARGETS, "/e") == [TargetUse("/e/targets", "cpu")]
    assert target_uses({"targets": ["a.cpu"]}, TARGETS, "/e") == [
        TargetUse("/e/targets/0", "a.cpu")
    ]
    assert [use.label for use in target_uses({"targets": ["a.cpu"]}, TARGETS, "/e")] == ["cpu"]
    assert target_uses({}, TARGETS, "/e") == []


def test_the_number_of_suggestions_is_limited() -> None:
    names = [f"target-{index}" for index in range(100)]
    wrong = layout(dict.fromkeys(names, "c"), main={"targets": [f"{name}x" for name in names]})
    unknown = [fault for fault in layout_faults(wrong) if fault.code == "TARGET_UNKNOWN"]
    assert len(unknown) == 100
    assert [bool(fault.suggestions) for fault in unknown] == [True] * 20 + [False] * 80
