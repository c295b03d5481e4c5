"""Build keys: digests of everything in a target that a compiler reads."""

import hashlib
from typing import Any

import pytest
from hypothesis import given

from registry.domain.closed_nodes import close_node
from registry.domain.document import Json
from registry.domain.keys.build_key import compute_build, compute_node_build, consumed_values
from registry.domain.kinds.kinds import ANNOTATION
from tests.domain.builders import KINDS, target_of
from tests.domain.strategies import facts, targets
from ttag_rules.nodes import nodes

CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a57"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_90"}
BYOC: dict[str, Any] = {"kind": "byoc", "codegen": "tensorrt", "devices": [GPU]}


def key(body: Json) -> str | None:
    return compute_build(target_of(body), KINDS).key


def digest(body: Json) -> str:
    return compute_build(target_of(body), KINDS).digest


def test_the_scheme_is_fixed() -> None:
    """Caches of builds use these keys: other values need another scheme."""
    text = (
        b'{"arch":"sm_90","host":{"kind":"llvm","mcpu":"cortex-a57","mtriple":"aarch64-linux-gnu"},'
        b'"kind":"cuda"}'
    )
    body = {**GPU, "host": {**CPU, "hardware": {"cores": 4}}}
    assert key(body) == f"bk1:{hashlib.sha256(text).hexdigest()}"


@given(targets, facts)
def test_hardware_is_not_digested(body: dict[str, Json], hardware: Json) -> None:
    bare = {name: value for name, value in body.items() if name != "hardware"}
    assert digest(bare) == digest({**bare, "hardware": hardware})


OPTIONS = [
    (kind, name, option)
    for kind in KINDS.values()
    for name, option in kind.options.items()
    if kind.role == "target" and name not in ("kind", "codegen")
]


@pytest.mark.parametrize(
    ("kind", "name", "option"), OPTIONS, ids=[f"{kind.name}-{name}" for kind, name, _ in OPTIONS]
)
def test_options_that_a_compiler_reads_are_digested(kind: Any, name: str, option: Any) -> None:
    bare: dict[str, Json] = {"kind": kind.name}
    is_digested = name in consumed_values({**bare, name: 1}, KINDS)
    assert is_digested == (option.affects_tuning or set(option.consumers) != {ANNOTATION})


def test_annotations_are_not_digested_but_models_are() -> None:
    vulkan: dict[str, Json] = {"kind": "vulkan"}
    assert key(vulkan) == key({**vulkan, "device_name": "adreno"})
    assert key(vulkan) != key({**vulkan, "model": "pixel"})


@pytest.mark.parametrize(
    "body",
    [
        {**CPU, "executor": "vm"},
        {**CPU, "runtime": "crt"},
        {**CPU, "flow": {"link-params": True}},
        {**CPU, "host": {"kind": "c"}},
        {**CPU, "opt-level": 3},
        {"kind": "composite", "devices": [CPU]},
        {"kind": "composite", "devices": {"cpu": CPU}},
    ],
    ids=str,
)
def test_everything_else_is_digested(body: Json) -> None:
    assert key(body) not in (None, key(CPU))


def test_parts_of_components_and_devices_are_digested_without_hardware() -> None:
    bare: Json = {"kind": "composite", "devices": {"gpu": {**GPU, "host": CPU}}, "runtime": "crt"}
    facts: dict[str, Json] = {"hardware": {"cores": 4}}
    annotated: Json = {
        "kind": "composite",
        "devices": {"gpu": {**GPU, "host": {**CPU, **facts}, **facts}},
        "runtime": {"kind": "crt"},
        **facts,
    }
    assert key(bare) == key(annotated)


def test_mixins_have_no_build() -> None:
    build = compute_build({"executor": {"kind": "aot"}}, KINDS)
    assert (build.key, build.digest) == (None, "")


@pytest.mark.parametrize("body", [{"kind": "cuda"}, {**CPU, "host": {"kind": "hexagon"}}], ids=str)
def test_a_target_with_a_host_dependent_leaf_has_a_digest_but_no_key(body: Json) -> None:
    assert key(body) is None
    assert digest(body).startswith("bk1:")


@given(targets)
def test_the_root_closes_to_the_build_of_the_whole(body: Json) -> None:
    root = target_of(body)
    assert compute_node_build(close_node(root, ""), KINDS) == compute_build(root, KINDS)


@given(targets)
def test_a_node_builds_like_a_target_of_its_own_unless_a_byoc_encloses_it(body: Json) -> None:
    root = target_of(body)
    for node in nodes(root):
        closed = close_node(root, node.pointer)
        is_equal = compute_node_build(closed, KINDS) == compute_build(closed.target, KINDS)
        assert is_equal == (not node.enclosing_codegens)


def test_the_codegens_around_a_node_are_digested() -> None:
    root = target_of({**BYOC, "devices": [BYOC]})
    inner = close_node(root, "/devices/0/devices/0")
    outer = close_node(root, "/devices/0")
    assert inner.codegens == ("tensorrt", "tensorrt")
    builds = {compute_node_build(node, KINDS).key for node in (inner, outer)}
    assert len(builds | {key(GPU), key(BYOC)}) == 4


def test_a_node_can_have_a_key_where_the_whole_has_none() -> None:
    root = target_of({"kind": "composite", "devices": [GPU, {"kind": "cuda"}]})
    assert compute_build(root, KINDS).key is None
    assert compute_node_build(close_node(root, "/devices/0"), KINDS).key == key(GPU)
