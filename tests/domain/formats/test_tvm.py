"""The `tvm` format: the JSON for TVM, and the members next to it."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from registry.domain.closed_nodes import close_node
from registry.domain.errors import Code
from registry.domain.exporting import Export, Loss, Subject
from registry.domain.formats.tvm import FORMAT, KINDS as OF_TVM
from registry.domain.kinds.kinds import COMMON_OPTIONS, Kind, Kinds
from tests.domain.builders import KINDS, refusal
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.strategies import targets
from ttag_rules.nodes import nodes
from ttag_rules.pointer import look_up

HOST: dict[str, Any] = {"kind": "llvm", "mcpu": "cortex-a57"}
CUDA: dict[str, Any] = {"kind": "cuda", "arch": "sm_53"}
FACTS: dict[str, Any] = {"vendor": "NVIDIA", "sources": {"all": ["https://example.org/facts"]}}

# As `tvm.target.Target()` of 0.27 lists them where it is given another, but for "kind" and "tag".
ANY_TARGET = {*COMMON_OPTIONS, "kind", "tag", "host"}


def members(export: Export) -> dict[str, Any]:
    assert isinstance(export.content, dict)
    return export.content


def written(body: Any) -> dict[str, Any]:
    return members(FORMAT.write(subject(body)))


def written_nodes(export: Export) -> Iterator[dict[str, Any]]:
    return (node.value for node in nodes(members(export)["target"]))


def test_two_machines_are_written_as_nested_composites() -> None:
    body = {
        "kind": "composite",
        "devices": {
            "machine10": {"kind": "composite", "devices": [CUDA], "executor": "vm"},
            "machine2": {**CUDA, "host": {**HOST, "runtime": "crt"}},
        },
        "executor": "aot",
        "flow": {"link-params": True, "enable-byoc": ["cudnn"], "relax.FuseOps.max_depth": 4},
    }
    assert written(body) == {
        "target": {
            "kind": "composite",
            "devices": [{**CUDA, "host": HOST}, {"kind": "composite", "devices": [CUDA]}],
        },
        "build": {
            "": {
                "labels": ["machine2", "machine10"],
                "executor": {"kind": "aot"},
                "flow": {"link-params": True, "enable-byoc": ["cudnn"]},
            },
            "/devices/0/host": {"runtime": {"kind": "crt"}},
            "/devices/1": {"executor": {"kind": "vm"}},
        },
        "pass_config": {"relax.FuseOps.max_depth": 4},
    }


def test_a_target_without_registry_members_has_an_empty_build() -> None:
    assert written({**CUDA, "host": HOST}) == {
        "target": {**CUDA, "host": HOST},
        "build": {},
        "pass_config": {},
    }


def test_a_byoc_is_written_as_a_composite() -> None:
    members_of_export = written(
        {"kind": "byoc", "codegen": "ethos-u", "devices": ["ext_dev"], "libs": ["x"]}
    )
    device = {"kind": "ext_dev"}
    assert members_of_export["target"] == {"kind": "composite", "devices": [device], "libs": ["x"]}
    assert members_of_export["build"] == {"": {"codegen": "ethos-u"}}


@pytest.mark.parametrize(
    ("flow", "kept", "settings"),
    [
        ({}, {}, {}),
        ({"link-params": False}, {"link-params": False}, {}),
        ({"relax.FuseOps.max_depth": 4}, None, {"relax.FuseOps.max_depth": 4}),
        ({"relax.depth": 4}, {"relax.depth": 4}, {}),  # TVM has no such setting
        ({"tir.usmp.enable": True}, {"tir.usmp.enable": True}, {}),  # nor this one any more
        ({"tirx.noalias": 1}, {"tirx.noalias": 1}, {}),  # a boolean in TVM
        ({"tirx.UnrollLoop": 1}, {"tirx.UnrollLoop": 1}, {}),  # an object in TVM
        (  # TVM 0.27 has another name for it
            {"tir.disable_vectorize": True},
            {"tir.disable_vectorize": True},
            {"tirx.disable_vectorize": True},
        ),
        ({"tirx.disable_vectorize": True}, None, {"tirx.disable_vectorize": True}),
        (
            {"tir.ptx_ldg32": True},
            {"tir.ptx_ldg32": True},
            {"tirx.s_tir.ldg32": True},
        ),
    ],
)
def test_pass_settings_are_in_pass_config(
    flow: dict[str, Any], kept: dict[str, Any] | None, settings: dict[str, Any]
) -> None:
    members_of_export = written({**CUDA, "flow": flow})
    assert members_of_export["build"] == ({} if kept is None else {"": {"flow": kept}})
    assert members_of_export["pass_config"] == settings


def test_pass_settings_of_an_inner_node_stay_in_build() -> None:
    flow = {"relax.depth": 4, "tir.disable_vectorize": True}
    members_of_export = written({"kind": "composite", "devices": [{**CUDA, "flow": flow}]})
    assert members_of_export["build"] == {"/devices/0": {"flow": flow}}
    assert members_of_export["pass_config"] == {}


def test_hardware_facts_are_dropped() -> None:
    body = {
        "kind": "composite",
        "devices": {"gpu": {**CUDA, "hardware": FACTS, "host": {**HOST, "hardware": FACTS}}},
        "hardware": FACTS,
    }
    dropped = FORMAT.write(subject(body)).dropped
    reason = "facts for people, which no compiler reads"
    places = ["/hardware", "/devices/gpu/hardware", "/devices/gpu/host/hardware"]
    assert dropped == tuple(Loss(place, reason) for place in places)


def test_a_node_is_written_with_values_of_its_enclosing_nodes() -> None:
    body = {"kind": "composite", "devices": {"gpu": CUDA}, "host": HOST, "libs": ["cudnn"]}
    export = FORMAT.write(subject(body, "/devices/gpu"))
    assert members(export)["target"] == {**CUDA, "host": HOST, "libs": ["cudnn"]}


def test_a_kind_unknown_to_tvm_is_rejected() -> None:
    kinds = Kinds([*KINDS.values(), Kind("npu", 1, KINDS["ext_dev"].source)])
    document = {"kind": "composite", "devices": {"a": {"kind": "npu"}}}
    refused = refusal(lambda: FORMAT.write(Subject("acme/board@1.0.0", document, kinds)))
    assert refused.code is Code.FORMAT_UNFIT
    assert "no kind npu, which is that of /devices/a" in refused.detail
    assert "webgpu, or byoc" in refused.detail


WHOLE: dict[str, Any] = {
    "kind": "composite",
    "devices": {"machine10": {**CUDA}, "machine2": {**CUDA, "host": HOST}},
    "host": HOST,
}
COMPOSED = {"/devices/machine2": "nvidia/jetson-nano@1.1.0", "/host": "arm/a57@2.0.0"}


def test_recorded_nodes_contain_their_references() -> None:
    recorded = Subject("acme/rack@1.0.0", WHOLE, KINDS, composed=COMPOSED, should_record=True)
    export = FORMAT.write(recorded)
    assert members(export)["target"] == {
        "kind": "composite",
        "tag": "acme/rack@1.0.0",
        "devices": [{**CUDA, "host": HOST, "tag": "nvidia/jetson-nano@1.1.0"}, CUDA],
        "host": {**HOST, "tag": "arm/a57@2.0.0"},
    }


def test_a_recorded_node_names_its_target_and_pointer() -> None:
    pointer = "/devices/machine10"
    recorded = Subject(
        "acme/rack@1.0.0",
        WHOLE,
        KINDS,
        part=close_node(WHOLE, pointer),
        composed=COMPOSED,
        should_record=True,
    )
    export = FORMAT.write(recorded)
    assert members(export)["target"] == {
        **CUDA,
        "tag": "acme/rack@1.0.0#/devices/machine10",
        "host": {**HOST, "tag": "arm/a57@2.0.0"},
    }


def test_references_are_recorded_only_on_request() -> None:
    export = FORMAT.write(Subject("acme/rack@1.0.0", WHOLE, KINDS, composed=COMPOSED))
    assert not [node for node in written_nodes(export) if "tag" in node]


def holds(export: Export) -> None:
    """Check that TVM knows all of an export, and that its pointers lead to nodes."""
    members_of_export = members(export)
    for node in written_nodes(export):
        assert node["kind"] in OF_TVM
        allowed = {*KINDS.targets[node["kind"]].options, *ANY_TARGET}
        allowed |= {"devices"} if node["kind"] == "composite" else set()
        assert set(node) <= allowed
        assert isinstance(node.get("devices", []), list)
    for pointer, entry in members_of_export["build"].items():
        node = look_up(members_of_export["target"], pointer)
        assert entry
        assert "kind" in node
        assert len(entry.get("labels", node.get("devices", []))) == len(node.get("devices", []))
    assert all("." in name for name in members_of_export["pass_config"])


@given(targets)
def test_any_target_is_written_with_valid_pointers(body: dict[str, Any]) -> None:
    holds(FORMAT.write(subject(body)))


def test_the_catalogue_can_be_written() -> None:
    for members_of_export in catalogue().values():
        holds(FORMAT.write(members_of_export))
