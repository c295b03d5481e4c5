"""Rules across the options of a node, on one node and between nested ones."""

from typing import Any

import pytest

from registry.domain.checks.cross_option_rules import GPUS
from registry.domain.document import Json
from tests.domain.builders import KINDS, Library, faults, target_of

AOT_C: dict[str, Any] = {"kind": "aot", "interface-api": "c"}
UNPACKED: dict[str, Any] = {"kind": "aot", "unpacked-api": True}
BOTH: dict[str, Any] = {**AOT_C, **UNPACKED}


@pytest.mark.parametrize(
    ("executor", "runtime", "allowed"),
    [
        ("aot", "crt", True),
        ("aot", "cpp", True),
        (AOT_C, "crt", False),
        ({**AOT_C, "unpacked-api": False}, "crt", False),
        (BOTH, "crt", True),
        (UNPACKED, "crt", True),
        (BOTH, "cpp", False),
        (UNPACKED, "cpp", False),
        (AOT_C, "cpp", False),
        ({"kind": "aot", "interface-api": "packed", "unpacked-api": False}, "cpp", True),
        (BOTH, None, True),
        (None, "cpp", True),
        ("graph", "crt", True),
        ("vm", "cpp", True),
        (UNPACKED, "cuda-graph", True),
    ],
    ids=str,
)
@pytest.mark.parametrize("around", ["executor", "runtime", "neither"])
def test_calling_conventions_of_aot(
    executor: Json, runtime: Json, allowed: bool, around: str
) -> None:
    """Executor and runtime are on one node, or one is on an enclosing node."""
    parts = {"executor": executor, "runtime": runtime}
    outer = {key: value for key, value in parts.items() if value and key == around}
    inner = {key: value for key, value in parts.items() if value and key != around}
    body: Json = {"kind": "composite", **outer, "devices": {"a": {"kind": "c", **inner}}}
    if allowed:
        assert target_of(body)
        return
    (fault,) = faults(body).values()
    place = "executor" if "executor" in inner else "runtime"
    assert (fault.pointer, fault.code) == (f"/devices/a/{place}", "CALLS_DISAGREE")
    assert fault.expected
    assert fault.found


@pytest.mark.parametrize("kind", ["c", "llvm", "hexagon", "cuda_host", "test"])
def test_what_is_no_gpu_can_be_a_host(kind: str) -> None:
    assert target_of({"kind": "composite", "devices": {"gpu": {"kind": "cuda", "host": kind}}})


def test_every_gpu_of_the_catalogue_is_refused_as_a_host() -> None:
    gpus = {word for word, kind in KINDS.targets.items() if "gpu" in kind.default_keys}
    assert gpus == GPUS


@pytest.mark.parametrize("place", ["/devices/a", "/host", "/devices/a/host"])
def test_aot_that_its_runtime_cannot_call_is_refused_in_any_part(place: str) -> None:
    part: Json = {"kind": "c", "executor": AOT_C, "runtime": "crt"}
    body: Json = {"kind": "composite", "devices": {"a": part}}
    if place == "/host":
        body = {"kind": "c", "host": part}
    elif place == "/devices/a/host":
        body = {"kind": "composite", "devices": {"a": {"kind": "c", "host": part}}}
    (fault,) = faults(body).values()
    assert (fault.pointer, fault.code) == (f"{place}/executor", "CALLS_DISAGREE")


def test_a_rule_broken_by_an_enclosing_node_is_reported_once() -> None:
    body: Json = {
        "kind": "composite",
        "executor": AOT_C,
        "runtime": "crt",
        "devices": ["c", "c"],
        "host": "c",
    }
    assert set(faults(body)) == {"/executor"}


@pytest.mark.parametrize(
    ("flow", "pointer", "expected"),
    [
        (
            {"tir.disable_vectorize": True, "tirx.disable_vectorize": True},
            "/flow/tirx.disable_vectorize",
            "only one of tir.disable_vectorize and tirx.disable_vectorize",
        ),
        (
            {"tirx.s_tir.ldg32": True, "a.b": 1, "tir.ptx_ldg32": False},
            "/flow/tir.ptx_ldg32",
            "only one of tirx.s_tir.ldg32 and tir.ptx_ldg32",
        ),
    ],
)
def test_one_flow_names_a_setting_once(flow: Json, pointer: str, expected: str) -> None:
    (fault,) = faults({"kind": "c", "flow": flow}).values()
    assert (fault.pointer, fault.code, fault.expected) == (pointer, "SETTING_REPEATED", expected)
    assert fault.found in ("true", "false")


def test_several_flows_may_name_a_setting_differently() -> None:
    inner: Json = {"kind": "c", "flow": {"tirx.disable_vectorize": True}}
    body: Json = {"kind": "composite", "flow": {"tir.disable_vectorize": True}, "devices": [inner]}
    assert target_of(body)


def test_rules_across_options_apply_where_a_mixin_is_used() -> None:
    library = Library()
    library.publish(
        "m/aot",
        {"executor": AOT_C, "runtime": "crt", "host": {"kind": "composite", "devices": ["c"]}},
    )
    library.publish("t/c", {"kind": "c"})
    result = faults({"tag": ["t/c", "m/aot"]}, library)
    assert {fault.code for fault in result.values()} == {"HOST_NOT_LEAF", "CALLS_DISAGREE"}
