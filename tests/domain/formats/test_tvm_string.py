"""Targets as the command line that TVM accepted until 0.23."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given

from registry.domain.closed_nodes import close_node
from registry.domain.errors import Code
from registry.domain.exporting import Loss, Subject
from registry.domain.formats.tvm_string import FORMAT, MAX_HOSTS
from registry.domain.importers.tvm_string import IMPORTER
from tests.domain.builders import KINDS, refusal, target_of
from tests.domain.formats.subjects import as_compiled, catalogue, subject
from tests.domain.strategies import leaf_targets, targets
from ttag_rules.nodes import COMPOSITES, nodes
from ttag_rules.pointer import child, look_up


def line(body: Any, node: str = "") -> str:
    content = FORMAT.write(subject(body, node)).content
    assert isinstance(content, str)
    return content


def dropped(body: Any) -> dict[str, str]:
    return {loss.pointer: loss.reason for loss in FORMAT.write(subject(body)).dropped}


def read_back(text: str) -> dict[str, Any]:
    return target_of(IMPORTER.read(text, KINDS).body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"kind": "llvm"}, "llvm"),
        (
            {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "device": "arm_cpu", "keys": ["a"]},
            "llvm -keys=a -device=arm_cpu -mtriple=aarch64-unknown-linux-gnu",
        ),
        ({"kind": "llvm", "mattr": ["+neon", "-sve"]}, "llvm -mattr=+neon,-sve"),
        ({"kind": "llvm", "keys": [], "libs": []}, "llvm -keys=, -libs=,"),
        ({"kind": "llvm", "num-cores": 8, "fast-math": True}, "llvm -fast-math=1 -num-cores=8"),
        ({"kind": "llvm", "fast-math": False}, "llvm -fast-math=0"),
        (
            {"kind": "llvm", "cl-opt": ["-unroll-threshold:uint=100", "--unroll-runtime=false"]},
            "llvm -cl-opt=-unroll-threshold:uint=100,--unroll-runtime=false",
        ),
        ({"kind": "cuda", "host": "c"}, "cuda -host=c"),
        (
            {"kind": "cuda", "arch": "sm_53", "host": {"kind": "llvm", "mcpu": "cortex-a57"}},
            "cuda -arch=sm_53 -host='llvm -mcpu=cortex-a57'",
        ),
        (
            {"kind": "cuda", "host": {"kind": "c", "host": {"kind": "c", "mcpu": "x"}}},
            r"cuda -host='c -host=\'c -mcpu=x\''",
        ),
    ],
)
def test_a_leaf_is_written_with_keys_first(body: Any, expected: str) -> None:
    assert line(body) == expected
    assert read_back(expected) == as_compiled(target_of(body))


def test_the_line_has_no_trailing_newline() -> None:
    assert FORMAT.write(subject({"kind": "llvm", "mcpu": "skylake"})).text == "llvm -mcpu=skylake"


UNPACKED = {"kind": "aot", "unpacked-api": True, "interface-api": "c"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"kind": "c", "executor": UNPACKED, "runtime": "crt"},
            "c -executor=aot -interface-api=c -runtime=c -unpacked-api=1",
        ),
        ({"kind": "c", "executor": "graph"}, "c -executor=graph"),
        (
            {"kind": "llvm", "runtime": {"kind": "cpp", "system-lib": False}},
            "llvm -runtime=c++ -system-lib=0",
        ),
        ({"kind": "llvm", "flow": {"link-params": True}}, "llvm -link-params=1"),
        (
            {"kind": "llvm", "executor": {"kind": "aot", "unpacked-api": True}},
            "llvm -unpacked-api=1",
        ),
        ({"kind": "cuda", "runtime": {"kind": "cpp", "system-lib": True}}, "cuda -system-lib=1"),
        (
            {
                "kind": "cuda",
                "executor": "aot",
                "runtime": {"kind": "crt", "system-lib": True},
                "flow": {"link-params": False},
                "host": "c",
            },
            "cuda -host='c -executor=aot -link-params=0 -runtime=c -system-lib=1'",
        ),
    ],
)
def test_old_options_of_executor_runtime_and_flow_are_written(body: Any, expected: str) -> None:
    assert line(body) == expected
    assert not dropped(body)
    assert read_back(expected) == target_of(body)


NO_OPTION = "TVM had no option for it, neither for this kind nor for the host's"


@pytest.mark.parametrize(
    ("body", "expected", "losses"),
    [
        ({"kind": "cuda", "executor": "aot"}, "cuda", {"/executor": NO_OPTION}),
        ({"kind": "c", "executor": "vm"}, "c", {"/executor": NO_OPTION}),
        ({"kind": "llvm", "runtime": "cuda-graph"}, "llvm", {"/runtime": NO_OPTION}),
        ({"kind": "llvm", "executor": "aot"}, "llvm", {"/executor": NO_OPTION}),
        (
            {"kind": "c", "executor": {"kind": "aot", "workspace-byte-alignment": 8}},
            "c -executor=aot",
            {"/executor/workspace-byte-alignment": NO_OPTION},
        ),
        (
            {"kind": "c", "flow": {"link-params": True, "tir.disable_vectorize": True}},
            "c -link-params=1",
            {"/flow/tir.disable_vectorize": NO_OPTION},
        ),
        ({"kind": "c", "flow": {"enable-byoc": ["x"]}}, "c", {"/flow": NO_OPTION}),
        ({"kind": "c", "flow": {}}, "c", {"/flow": NO_OPTION}),
        (
            {"kind": "cuda", "host": {"kind": "c", "runtime": "crt"}},
            "cuda -host=c",
            {"/host/runtime": NO_OPTION},
        ),
        (
            {"kind": "c", "hardware": {"vendor": "Acme"}},
            "c",
            {"/hardware": "facts for people, which no compiler reads"},
        ),
        (
            {"kind": "cuda", "host": {"kind": "c", "hardware": {"vendor": "Acme"}}},
            "cuda -host=c",
            {"/host/hardware": "facts for people, which no compiler reads"},
        ),
    ],
)
def test_values_outside_the_layout_are_dropped(
    body: Any, expected: str, losses: dict[str, str]
) -> None:
    assert line(body) == expected
    assert dropped(body) == losses


def test_a_value_that_does_not_round_trip_is_dropped() -> None:
    """No shipped kind allows spaces, but an added one may."""
    target = {"kind": "rocm", "mtriple": " amdgcn", "mcpu": "gfx942"}
    export = FORMAT.write(Subject("acme/board@1.0.0", target, KINDS))
    assert export == type(export)(
        "rocm -mcpu=gfx942", (Loss("/mtriple", "no command line expresses this value"),)
    )


def test_hosts_nested_too_deep_are_dropped() -> None:
    body: dict[str, Any] = {"kind": "c"}
    for _ in range(MAX_HOSTS + 2):
        body = {"kind": "c", "mcpu": "x", "host": body}
    place = "/host" * (MAX_HOSTS + 1)
    assert dropped(body) == {place: f"at most {MAX_HOSTS} nested hosts are written"}
    deepest = look_up(target_of(body), place.removesuffix("/host"))
    assert look_up(read_back(line(body)), place.removesuffix("/host")) == {
        name: deepest[name] for name in deepest if name != "host"
    }


def test_a_composite_is_rejected_with_the_pointers_of_its_leaves() -> None:
    body = {"kind": "composite", "host": "llvm", "devices": {"b": "cuda", "a2": "c", "a10": "c"}}
    refused = refusal(lambda: line(body))
    assert refused.code == Code.FORMAT_UNFIT
    assert refused.suggestions == ("/host", "/devices/a2", "/devices/a10", "/devices/b")
    assert refused.detail == (
        "A command line describes one target, but this composite has several. Ask for one of its "
        "nodes, as with ?node=/host."
    )


def test_suggested_pointers_lead_into_the_whole_target() -> None:
    inner = {"kind": "byoc", "codegen": "npu", "devices": {"core": "ext_dev"}}
    body = {"kind": "composite", "host": "llvm", "devices": {"npu": inner}}
    refused = refusal(lambda: line(body, "/devices/npu"))
    assert refused.suggestions == ("/host", "/devices/npu/devices/core")


def test_a_node_is_written_with_its_effective_host() -> None:
    body = {"kind": "composite", "host": "llvm", "libs": ["x"], "devices": ["cuda"]}
    assert line(body, "/devices/0") == "cuda -host=llvm -libs=x"


def without(target: Any, pointers: set[str], pointer: str = "") -> Any:
    """Return a target without the values at some pointers."""
    if not isinstance(target, dict):
        return target
    return {
        name: without(value, pointers, child(pointer, name))
        for name, value in target.items()
        if child(pointer, name) not in pointers
    }


@given(leaf_targets())
def test_written_leaves_round_trip(body: Any) -> None:
    """Nothing changes except the dropped values."""
    export_subject = subject(body)
    export = FORMAT.write(export_subject)
    gone = {loss.pointer for loss in export.dropped}
    assert read_back(export.text) == as_compiled(without(export_subject.target, gone))


@given(targets)
def test_every_leaf_of_a_target_round_trips(body: Any) -> None:
    document = target_of(body)
    for node in nodes(document):
        node_subject = Subject(
            "acme/board@1.0.0", document, KINDS, part=close_node(document, node.pointer)
        )
        if node.kind in COMPOSITES:
            assert refusal(partial(FORMAT.write, node_subject)).code == Code.FORMAT_UNFIT
            continue
        export = FORMAT.write(node_subject)
        gone = {loss.pointer for loss in export.dropped}
        assert read_back(export.text) == as_compiled(without(node_subject.target, gone))


def test_every_leaf_of_the_catalogue_round_trips() -> None:
    exact = 0
    for export_subject in catalogue().values():
        if export_subject.target["kind"] in COMPOSITES:
            continue
        export = FORMAT.write(export_subject)
        gone = {loss.pointer for loss in export.dropped}
        assert gone <= {"/hardware", "/executor", "/host/hardware"}, export_subject.exact
        assert read_back(export.text) == as_compiled(without(export_subject.target, gone))
        exact += not gone
    assert exact > 287
