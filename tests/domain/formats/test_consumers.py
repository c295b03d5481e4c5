"""The `consumers` format: values by consumer, and what is irrelevant to tuning."""

import json
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json, is_same_json
from registry.domain.exporting import Subject
from registry.domain.formats.consumers import FORMAT
from registry.domain.formats.tuning import subject_preimages
from registry.domain.keys.tuning import preimages
from tests.domain.builders import KINDS, leaves
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.strategies import targets
from ttag_rules.nodes import nodes
from ttag_rules.pointer import look_up


def exported(of: Subject) -> dict[str, Any]:
    export = FORMAT.write(of)
    assert not export.dropped
    members: dict[str, Any] = json.loads(export.text)
    return members


def test_values_are_grouped_by_consumer() -> None:
    body: Json = {
        "kind": "llvm",
        "mcpu": "haswell",
        "num-cores": 4,
        "model": "acme-1",
        "jit": "orcjit",
        "host": {"kind": "c", "libs": ["cblas", "dnnl"]},
        "executor": "aot",
        "flow": {"link-params": True, "tir.disable_vectorize": True},
        "hardware": {"vendor": "Acme", "sources": {"all": ["https://example.org/facts"]}},
    }
    assert exported(subject(body)) == {
        "consumers": {
            "annotation": {
                "/hardware/sources/all": ["https://example.org/facts"],
                "/hardware/vendor": "Acme",
                "/model": "acme-1",
            },
            "codegen": {
                "/flow/tir.disable_vectorize": True,
                "/host/kind": "c",
                "/host/libs": ["cblas", "dnnl"],
                "/kind": "llvm",
                "/mcpu": "haswell",
            },
            "flow": {"/flow/tir.disable_vectorize": True},
            "graph-executor": {"/executor/kind": "aot", "/flow/link-params": True},
            "runtime": {"/jit": "orcjit"},
            "tuning": {"/num-cores": 4},
        },
        "tuning_irrelevant": [
            "/executor/kind",
            "/flow/link-params",
            "/hardware/sources/all",
            "/hardware/vendor",
            "/jit",
        ],
        "dropped": [],
    }


def test_a_composites_own_options_are_irrelevant_to_tuning() -> None:
    body: Json = {
        "kind": "composite",
        "model": "rack-1",
        "keys": ["k"],
        "libs": ["mkl"],
        "devices": {
            "npu": {
                "kind": "byoc",
                "codegen": "acme-npu",
                "device": "npu",
                "devices": [{"kind": "c", "model": "core-1"}],
            }
        },
    }
    assert exported(subject(body))["tuning_irrelevant"] == [
        "/devices/npu/device",
        "/keys",
        "/model",
    ]


def test_pointers_are_relative_to_the_requested_node() -> None:
    body: Json = {
        "kind": "composite",
        "host": {"kind": "c", "mcpu": "cortex-m7"},
        "libs": ["mkl"],
        "devices": {"gpu": {"kind": "cuda", "arch": "sm_90"}},
    }
    assert exported(subject(body, "/devices/gpu"))["consumers"] == {
        "codegen": {
            "/arch": "sm_90",
            "/host/kind": "c",
            "/host/mcpu": "cortex-m7",
            "/kind": "cuda",
            "/libs": ["mkl"],
        }
    }


@pytest.mark.parametrize("part", ["flow", "hardware"])
def test_an_empty_object_is_left_out(part: str) -> None:
    assert exported(subject({"kind": "c", part: {}})) == exported(subject({"kind": "c"}))


def test_an_empty_list_is_a_value() -> None:
    assert exported(subject({"kind": "c", "libs": []}))["consumers"]["codegen"]["/libs"] == []


def merged(groups: dict[str, dict[str, Json]]) -> dict[str, Json]:
    """Return all values by pointer; a value with two consumers must be equal under both."""
    values: dict[str, Json] = {}
    for group in groups.values():
        assert group
        for pointer, value in group.items():
            assert is_same_json(values.setdefault(pointer, value), value)
    return values


@given(targets)
def test_all_groups_together_contain_the_target(body: Json) -> None:
    of = subject(body)
    assert is_same_json(merged(exported(of)["consumers"]), leaves(of.target))


def test_all_groups_together_contain_the_target_for_every_tag() -> None:
    for exact, of in catalogue().items():
        assert is_same_json(merged(exported(of)["consumers"]), leaves(of.target)), exact


@given(targets)
def test_removing_irrelevant_values_keeps_tuning_keys(body: Json) -> None:
    of = subject(body)
    bare = json.loads(json.dumps(of.target))
    for pointer in exported(of)["tuning_irrelevant"]:
        above, _, name = pointer.rpartition("/")
        del look_up(bare, above)[name]
    assert preimages(bare, KINDS) == subject_preimages(of)


@given(targets)
def test_every_relevant_option_of_a_leaf_changes_its_key(body: Json) -> None:
    of = subject(body)
    irrelevant = set(exported(of)["tuning_irrelevant"])
    by_pointer = subject_preimages(of)
    for node in nodes(of.target):
        if preimage := by_pointer.get(node.pointer):
            stated = {name for name, value in node.own.items() if value != []} | {"kind"}
            relevant = {name for name in stated if f"{node.pointer}/{name}" not in irrelevant}
            assert relevant == stated & preimage.keys()
