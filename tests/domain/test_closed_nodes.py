"""Closed nodes of a target."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.checks.checks import check_target
from registry.domain.closed_nodes import close_node
from registry.domain.document import Json, canonical
from registry.domain.errors import Code
from registry.domain.keys.build_key import compute_build, compute_node_build
from registry.domain.keys.tuning import tuning_keys
from tests.domain.builders import KINDS, refusal, target_of
from tests.domain.strategies import composite_targets, leaf_targets
from ttag_rules.closed_nodes import ClosedNode
from ttag_rules.nodes import nodes
from ttag_rules.pointer import PointerUnknown, look_up

HOST: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "aarch64-unknown-linux-gnu",
    "mcpu": "cortex-a57",
}
CUDA: dict[str, Any] = {"kind": "cuda", "arch": "sm_53"}


def target(**around: Any) -> dict[str, Any]:
    return target_of({"kind": "composite", "devices": {"gpu": CUDA, "cpu": HOST}, **around})


def test_the_root_closes_to_the_whole_target() -> None:
    root = target(host=HOST, libs=["cudnn"], flow={"link-params": True})
    assert close_node(root, "").target == root


def test_device_gets_the_nearest_enclosing_host() -> None:
    root = target_of(
        {
            "kind": "composite",
            "host": {"kind": "c"},
            "devices": {"board": {"kind": "composite", "host": HOST, "devices": {"gpu": CUDA}}},
        }
    )
    assert close_node(root, "/devices/board/devices/gpu").target["host"] == HOST


def test_device_with_its_own_host_keeps_it() -> None:
    own = {"kind": "c", "mcpu": "cortex-m7"}
    root = target_of({"kind": "composite", "host": HOST, "devices": [{**CUDA, "host": own}]})
    assert close_node(root, "/devices/0").target["host"] == own


def test_a_host_gets_no_host() -> None:
    closed = close_node(target(host=HOST), "/host")
    assert closed.target == HOST
    assert "host" not in close_node(target_of({**CUDA, "host": HOST}), "/host").target


def test_libs_are_its_own_then_those_of_enclosing_nodes() -> None:
    root = target_of(
        {
            "kind": "composite",
            "libs": ["cublas", "thrust"],
            "devices": [{**CUDA, "libs": ["cudnn", "cublas"]}, HOST],
        }
    )
    assert close_node(root, "/devices/0").target["libs"] == ["cudnn", "cublas", "thrust"]
    assert close_node(root, "/devices/1").target["libs"] == ["cublas", "thrust"]


@pytest.mark.parametrize("own", [{}, {"libs": []}, {"libs": ["cudnn"]}])
def test_an_empty_list_of_enclosing_libs_adds_nothing(own: dict[str, Json]) -> None:
    root = target_of({"kind": "composite", "libs": [], "devices": [{**CUDA, **own}]})
    closed = close_node(root, "/devices/0")
    assert closed.target == {**CUDA, **own}
    assert compute_node_build(closed, KINDS) == compute_build({**CUDA, **own}, KINDS)


def test_the_nearest_flow_setting_wins() -> None:
    root = target_of(
        {
            "kind": "composite",
            "flow": {"link-params": True, "a.b": 1},
            "devices": [{**CUDA, "flow": {"a.b": 2}}],
        }
    )
    assert close_node(root, "/devices/0").target["flow"] == {"link-params": True, "a.b": 2}


def test_a_flow_setting_overrides_its_earlier_name() -> None:
    root = target_of(
        {
            "kind": "composite",
            "flow": {"tir.disable_vectorize": True},
            "devices": [{**CUDA, "flow": {"tirx.disable_vectorize": False}}],
        }
    )
    closed = close_node(root, "/devices/0").target
    assert closed["flow"] == {"tirx.disable_vectorize": False}
    check_target(closed, KINDS)


def test_a_node_without_enclosing_values_is_unchanged() -> None:
    assert close_node(target(), "/devices/gpu").target == CUDA


def test_a_node_gets_the_nearest_executor_and_runtime() -> None:
    root = target_of(
        {
            "kind": "composite",
            "executor": "vm",
            "runtime": {"kind": "crt", "system-lib": True},
            "devices": [{"kind": "composite", "executor": "aot", "devices": [CUDA]}],
        }
    )
    closed = close_node(root, "/devices/0/devices/0")
    assert closed.target["executor"] == {"kind": "aot"}
    assert closed.target["runtime"] == {"kind": "crt", "system-lib": True}
    assert closed.inner_pointer("/devices/0/executor") == "/executor"
    assert closed.inner_pointer("/executor") is None
    assert closed.outer_pointer("/runtime/system-lib") == "/runtime/system-lib"


def test_a_node_keeps_its_own_executor() -> None:
    root = target_of(
        {"kind": "composite", "executor": "vm", "devices": [{**CUDA, "executor": "aot"}]}
    )
    assert close_node(root, "/devices/0").target["executor"] == {"kind": "aot"}


def test_a_coprocessor_keeps_host_runtime_and_executor_of_its_own() -> None:
    inner: Json = {
        "kind": "composite",
        "host": {"kind": "llvm", "mtriple": "riscv64-unknown-elf"},
        "executor": "graph",
        "runtime": "crt",
        "devices": {"core": {"kind": "ext_dev", "model": "accelerator"}},
    }
    arm: Json = {"kind": "llvm", "mtriple": "aarch64-linux-gnu"}
    root = target_of(
        {"kind": "composite", "host": arm, "executor": "vm", "devices": {"accelerator": inner}}
    )
    core = close_node(root, "/devices/accelerator/devices/core").target
    assert core["host"] == {"kind": "llvm", "mtriple": "riscv64-unknown-elf"}
    assert (core["executor"], core["runtime"]) == ({"kind": "graph"}, {"kind": "crt"})


def test_a_host_gets_the_executor_of_its_owner() -> None:
    assert close_node(target(host=HOST, executor="aot"), "/host").target == {
        **HOST,
        "executor": {"kind": "aot"},
    }


def test_patches_of_a_mixin_around_a_node_are_left_out() -> None:
    """They apply only where the mixin is used."""
    mixin: Json = {
        "libs": {"$append": ["cudnn"]},
        "executor": {"unpacked-api": True},
        "runtime": None,
        "host": HOST,
    }
    assert close_node(mixin, "/host").target == HOST


def test_the_codegens_of_enclosing_nodes_are_kept_nearest_first() -> None:
    inner: Json = {"kind": "byoc", "codegen": "inner", "devices": [CUDA]}
    root = target_of({"kind": "byoc", "codegen": "outer", "devices": [inner]})
    assert close_node(root, "/devices/0/devices/0").codegens == ("inner", "outer")
    assert close_node(root, "/devices/0").codegens == ("outer",)
    assert close_node(root, "").codegens == ()


def test_tuning_keys_are_those_of_the_whole_document() -> None:
    root = target_of(
        {
            "kind": "byoc",
            "codegen": "tensorrt",
            "host": HOST,
            "devices": {"gpu": {**CUDA, "libs": ["cudnn"]}},
        }
    )
    keys = tuning_keys(root, KINDS)
    closed = close_node(root, "/devices/gpu")
    assert closed.select(keys) == {"": keys["/devices/gpu"], "/host": keys["/host"]}
    assert closed.select(keys) != tuning_keys(closed.target, KINDS)  # it has lost its codegen


def test_pointers_outside_the_node_are_left_out() -> None:
    closed = close_node(target(host=HOST), "/devices/gpu")
    assert closed.inner_pointer("/devices/gpu/arch") == "/arch"
    assert closed.inner_pointer("/host/mcpu") == "/host/mcpu"
    assert closed.inner_pointer("/devices/gpu2") is None
    assert closed.inner_pointer("") is None


@pytest.mark.parametrize(
    "pointer",
    ["/", "/nothing", "/devices", "/devices/0", "/devices/gpu/arch", "host", "#/host", "~", "/~2"],
)
def test_an_unknown_pointer_is_rejected_with_suggestions(pointer: str) -> None:
    refused = refusal(lambda: close_node(target(host=HOST), pointer))
    assert refused.code == Code.NODE_UNKNOWN
    assert sorted(refused.suggestions) == ["", "/devices/cpu", "/devices/gpu", "/host"]


@pytest.mark.parametrize(
    ("pointer", "near"), [("/hots", "/host"), ("/devices/gpuu", "/devices/gpu")]
)
def test_the_nearest_node_is_suggested_first(pointer: str, near: str) -> None:
    refused = refusal(lambda: close_node(target(host=HOST), pointer))
    assert refused.suggestions[0] == near
    assert f"such as {near}." in refused.detail


def test_escaped_pointers_are_accepted() -> None:
    root: Json = {"kind": "composite", "devices": {"a/b": CUDA}}
    assert close_node(root, "/devices/a~1b").target == CUDA


def test_a_pointer_outside_the_node_raises() -> None:
    closed = ClosedNode("/host", HOST, (("/host", "/inner"),))
    assert closed.outer_pointer("/inner/mcpu") == "/host/mcpu"
    with pytest.raises(PointerUnknown):
        closed.outer_pointer("/mcpu")


def test_a_complete_node_of_a_mixin_can_be_closed() -> None:
    assert close_node({"host": HOST}, "/host").target == HOST
    assert refusal(lambda: close_node({"host": HOST}, "")).code == Code.NODE_UNKNOWN


@given(composite_targets(leaf_targets()))
def test_every_closed_node_is_a_valid_target(body: dict[str, Any]) -> None:
    root = target_of(body)
    for node in nodes(root):
        check_target(close_node(root, node.pointer).target, KINDS)


@given(composite_targets(leaf_targets()))
def test_a_closed_node_has_the_same_keys_unless_a_byoc_encloses_it(body: dict[str, Any]) -> None:
    root = target_of(body)
    keys = tuning_keys(root, KINDS)
    for node in nodes(root):
        if any("codegen" in around.value for around in node.enclosing):
            continue
        closed = close_node(root, node.pointer)
        own = {
            pointer.removeprefix(node.pointer): key
            for pointer, key in keys.items()
            if pointer == node.pointer or pointer.startswith(f"{node.pointer}/")
        }
        recomputed = tuning_keys(closed.target, KINDS)
        assert {pointer: recomputed.get(pointer) for pointer in own} == own


@given(composite_targets(leaf_targets()))
def test_every_pointer_in_a_closed_node_maps_to_the_whole(body: dict[str, Any]) -> None:
    root = target_of(body)
    for node in nodes(root):
        closed = close_node(root, node.pointer)
        for inner in nodes(closed.target):
            place = closed.outer_pointer(inner.pointer)
            assert closed.inner_pointer(place) == inner.pointer
            assert look_up(root, place)["kind"] == inner.kind


@given(composite_targets(leaf_targets()))
def test_closing_the_root_is_idempotent(body: dict[str, Any]) -> None:
    root = target_of(body)
    for node in nodes(root):
        once = close_node(root, node.pointer).target
        assert canonical(close_node(once, "").target) == canonical(once)
        assert look_up(root, node.pointer)["kind"] == once["kind"]


def test_shared_libraries_and_settings_have_pointers_in_the_node() -> None:
    leaf: Json = {"kind": "c", "libs": ["own"], "flow": {"a.b": 1}}
    inner: Json = {"kind": "composite", "libs": ["x", "own"], "devices": [leaf], "flow": {"c.d": 1}}
    outer: Json = {"kind": "composite", "devices": [inner], "flow": {"a.b": 2, "c.d": 2, "e.f": 2}}
    closed = close_node(outer, "/devices/0/devices/0")
    assert {
        pointer: closed.inner_pointer(pointer)
        for pointer in (
            *("/devices/0/libs/0", "/devices/0/libs/1", "/devices/0/flow/c.d"),
            *("/flow/a.b", "/flow/c.d", "/flow/e.f", "/devices/0/devices/0/flow/a.b"),
        )
    } == {
        "/devices/0/libs/0": "/libs/1",
        "/devices/0/libs/1": "/libs/0",
        "/devices/0/flow/c.d": "/flow/c.d",
        "/flow/a.b": None,
        "/flow/c.d": None,
        "/flow/e.f": "/flow/e.f",
        "/devices/0/devices/0/flow/a.b": "/flow/a.b",
    }
