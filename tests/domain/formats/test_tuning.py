"""The `tuning` format: the preimages of tuning keys."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given

from registry.domain.closed_nodes import close_node
from registry.domain.document import Json, canonical
from registry.domain.errors import Code
from registry.domain.exporting import Export, Subject
from registry.domain.formats.tuning import FORMAT, MAX_PREIMAGES, subject_preimages
from registry.domain.keys.tuning import is_host_dependent, preimages, tuning_keys
from registry.domain.resolution import resolution
from tests.domain.builders import KINDS, refusal
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.strategies import targets
from ttag_rules.nodes import nodes

FAST_MATH = [name for name in KINDS.targets["llvm"].options if name.startswith("fast-math")]


def exported(export: Export) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(export.text)
    return members


def digested(members: dict[str, Any]) -> dict[str, str]:
    """Compute the keys of an answer from its preimages."""
    return {
        pointer: f"tk1:{hashlib.sha256(canonical(preimage)).hexdigest()}"
        for pointer, preimage in members["tuning"].items()
    }


def test_preimages_and_keys_of_a_board_with_a_host() -> None:
    body: Json = {
        "kind": "cuda",
        "arch": "sm_53",
        "executor": "vm",
        "host": {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mattr": ["+neon", "+crc"]},
    }
    members = exported(FORMAT.write(subject(body)))
    assert members["tuning"] == {
        "": {
            "kind": "cuda",
            "keys": ["cuda", "gpu"],
            "arch": "sm_53",
            "max_num_threads": 1024,
            "thread_warp_size": 32,
        },
        "/host": {
            "kind": "llvm",
            "keys": ["arm_cpu", "cpu"],
            "mtriple": "aarch64-unknown-linux-gnu",
            "mcpu": "generic",
            "mattr": ["+crc", "+neon"],
            "opt-level": 3,
            **dict.fromkeys(FAST_MATH, False),
        },
    }
    assert members["tuning_keys"] == digested(members)
    assert members["dropped"] == []


def test_a_node_keeps_its_key_from_the_whole_target() -> None:
    body: Json = {
        "kind": "byoc",
        "codegen": "acme-npu",
        "libs": ["acme"],
        "host": {"kind": "c", "mcpu": "cortex-m7"},
        "devices": {"a": {"kind": "opencl", "device": "mali"}, "b": "c"},
    }
    root = exported(FORMAT.write(subject(body)))
    node = exported(FORMAT.write(subject(body, "/devices/a")))
    for member in ("tuning", "tuning_keys"):
        assert node[member] == {
            "": root[member]["/devices/a"],
            "/host": root[member]["/host"],
        }
    assert node["tuning"][""]["codegen"] == ["acme-npu"]


def test_every_catalogue_key_is_the_digest_of_its_preimage() -> None:
    count = 0
    for exact, target_subject in catalogue().items():
        members = exported(FORMAT.write(target_subject))
        assert (
            digested(members) == members["tuning_keys"] == tuning_keys(target_subject.target, KINDS)
        ), exact
        count += len(members["tuning"])
    assert count > 287


def every_part(target_subject: Subject) -> list[Subject]:
    """Return the nodes of a target, except the root."""
    return [
        Subject(
            target_subject.exact,
            target_subject.document,
            KINDS,
            part=close_node(target_subject.document, node.pointer),
        )
        for node in nodes(target_subject.document)
        if node.pointer
    ]


@given(targets)
def test_every_leaf_has_a_matching_key_or_is_dropped(body: Json) -> None:
    root = subject(body)
    for target_subject in (root, *every_part(root)):
        export = FORMAT.write(target_subject)
        members = exported(export)
        assert digested(members) == members["tuning_keys"]
        lost = {loss.pointer for loss in export.dropped}
        assert members["tuning"].keys() | lost == {
            node.pointer for node in nodes(target_subject.target) if node.is_leaf
        }
        assert lost == {
            node.pointer
            for node in nodes(target_subject.target)
            if node.is_leaf and is_host_dependent(node, KINDS)
        }


@pytest.mark.parametrize(
    ("leaf", "needed"),
    [
        ({"kind": "llvm", "num-cores": 4}, "without mtriple"),
        ({"kind": "llvm", "mtriple": "x", "mcpu": "native"}, "with mcpu native"),
        ({"kind": "cuda"}, "without arch"),
        ({"kind": "rocm"}, "without mcpu"),
    ],
)
def test_a_leaf_without_a_key_names_the_option(leaf: Json, needed: str) -> None:
    export = FORMAT.write(subject({"kind": "composite", "devices": {"a": leaf, "b": "c"}}))
    (loss,) = export.dropped
    assert loss.pointer == "/devices/a"
    assert f"{needed} a compiler" in loss.reason
    assert exported(export)["tuning"].keys() == {"/devices/b"}


def test_a_node_of_a_mixin_has_no_key() -> None:
    mixin: dict[str, Any] = {"host": {"kind": "c"}}
    export = FORMAT.write(Subject("acme/c@1.0.0", mixin, KINDS, part=close_node(mixin, "/host")))
    assert exported(export)["tuning"] == {}
    (loss,) = export.dropped
    assert loss.pointer == ""
    assert "mixin" in loss.reason


def test_the_total_size_of_preimages_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolution, "MAX_PASSED_DOWN", 8 * MAX_PREIMAGES)
    libs: list[Json] = [f"{index:04}{'x' * 250}" for index in range(100)]
    count = MAX_PREIMAGES // len(canonical(libs)) + 1
    body: dict[str, Json] = {"kind": "composite", "libs": libs, "devices": ["c"] * count}
    refused = refusal(lambda: FORMAT.write(subject(body)))
    assert refused.code == Code.FORMAT_UNFIT
    assert "?node=" in refused.detail
    half: dict[str, Json] = {**body, "devices": ["c"] * (count // 2)}
    for target_subject in (subject(half), subject(body, "/devices/0")):
        assert digested(members := exported(FORMAT.write(target_subject))) == members["tuning_keys"]


def test_a_node_has_the_preimages_of_the_whole_target() -> None:
    byoc: Any = {
        "kind": "byoc",
        "codegen": "acme-npu",
        "devices": [{"kind": "cuda", "arch": "sm_53"}],
    }
    root = Subject("acme/npu@1.0.0", byoc, KINDS)
    node = Subject("acme/npu@1.0.0", byoc, KINDS, part=close_node(byoc, "/devices/0"))
    whole, closed = subject_preimages(root), subject_preimages(node)
    assert closed == {"": preimages(byoc, KINDS)["/devices/0"]}
    assert closed[""] == whole["/devices/0"]
    assert closed[""]["codegen"] == ["acme-npu"]
