# ruff: noqa: E501 - tables read best in rows
import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.lints import lint_target
from registry.domain.tuning import tuning_keys
from tests.domain.builders import KINDS, target_of
from tests.domain.strategies import targets

CPUS = {
    "x86_64": frozenset({"skylake", "znver3"}),
    "arm": frozenset({"cortex-a15"}),
    "armeb": frozenset({"x"}),
}


def found(body: Json) -> dict[str, Fault]:
    return {lint.pointer: lint for lint in lint_target(target_of(body), KINDS, CPUS)}


CASES: list[tuple[Json, dict[str, str]]] = [
    ({"kind": "llvm", "mtriple": "x86_64-linux", "mcpu": "skylake"}, {}),
    ({"kind": "llvm", "mtriple": "x86_64-linux", "mcpu": "skylak"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "llvm", "mtriple": "x86_64", "mcpu": "cortex-a15"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "llvm", "mtriple": "armv7a-linux", "mcpu": "cortex-a15"}, {}),
    ({"kind": "llvm", "mtriple": "armv7a-linux", "mcpu": "x"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "llvm", "mtriple": "unheard-of", "mcpu": "x"}, {}),
    ({"kind": "llvm", "mcpu": "x"}, {}),
    ({"kind": "hexagon", "mtriple": "x86_64", "mcpu": "x"}, {}),
    ({"kind": "llvm"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "cuda"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "nvptx"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "rocm"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "opencl"}, {}),
    ({"kind": "composite", "devices": ["c", "llvm"], "host": "llvm"}, {"/devices/1": "HOST_DEPENDENT", "/host": "HOST_DEPENDENT"}),
    ({"kind": "c", "host": {"kind": "c", "host": "c"}}, {"/host/host": "HOST_OF_HOST"}),
    ({"kind": "c", "host": "c"}, {}),
    ({"kind": "c", "flow": {"link-params": True, "tir.disable_vectorize": True}}, {}),
    ({"kind": "c", "flow": {"tir.disable_vectorise": True}}, {"/flow/tir.disable_vectorise": "FLOW_UNKNOWN"}),
    ({"kind": "c", "hardware": {}}, {}),
    ({"kind": "c", "hardware": {"vendor": "a", "model": "b", "family": "c"}}, {}),
    ({"kind": "c", "hardware": {"cores": 1}}, {"/hardware": "HARDWARE_UNSOURCED"}),
    ({"kind": "c", "hardware": {"cores": 1, "sources": ["https://x.org"]}}, {}),
    ({"kind": "composite", "devices": {"a": {"kind": "c", "hardware": {"cores": 1}}}}, {"/devices/a/hardware": "HARDWARE_UNSOURCED"}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), CASES, ids=range(len(CASES)))
def test_warnings_of_targets(body: Json, expected: dict[str, str]) -> None:
    assert {pointer: lint.code for pointer, lint in found(body).items()} == expected
    assert all(lint.message and lint.expected for lint in found(body).values())


def test_a_warning_suggests_similar_names() -> None:
    body: Json = {
        "kind": "llvm",
        "mtriple": "x86_64",
        "mcpu": "skylak",
        "flow": {"tir.disable_vectorise": 1},
    }
    assert found(body)["/mcpu"].suggestions == ("skylake",)
    assert found(body)["/flow/tir.disable_vectorise"].suggestions == ("tir.disable_vectorize",)
    assert found({"kind": "llvm"})[""].expected == "mtriple or mcpu"


@given(targets)
def test_exactly_host_dependent_leaves_have_no_key(body: Json) -> None:
    target = target_of(body)
    dependent = {
        lint.pointer for lint in lint_target(target, KINDS, CPUS) if lint.code == "HOST_DEPENDENT"
    }
    assert not dependent & tuning_keys(target, KINDS).keys()
