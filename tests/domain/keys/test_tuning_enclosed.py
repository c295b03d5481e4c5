"""The values of enclosing nodes that are part of a leaf's tuning key."""

from typing import Any

import pytest

from registry.domain.document import Json
from registry.domain.keys.tuning import preimages
from tests.domain.builders import KINDS, target_of

LLVM: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "x"}


def preimage(body: Json, pointer: str) -> dict[str, Any]:
    return preimages(target_of(body), KINDS)[pointer]


@pytest.mark.parametrize(
    ("inner", "outer", "libs"),
    [
        (None, None, None),
        ([], [], None),
        (["a"], None, ["a"]),
        (None, ["b"], ["b"]),
        (["a"], ["b"], ["a", "b"]),
        (["a", "b"], ["b", "a", "c"], ["a", "b", "c"]),
    ],
)
@pytest.mark.parametrize("place", ["devices", "host"])
def test_libs_are_nearest_first(inner: Json, outer: Json, libs: Json, place: str) -> None:
    leaf = LLVM if inner is None else {**LLVM, "libs": inner}
    around: dict[str, Any] = {
        "kind": "composite",
        "devices": {"d": leaf if place == "devices" else "c"},
    }
    if place == "host":
        around["host"] = leaf
    if outer is not None:
        around["libs"] = outer
    pointer = "/devices/d" if place == "devices" else "/host"
    assert preimage(around, pointer).get("libs") == libs


def test_a_host_is_enclosed_by_its_owner() -> None:
    body: Json = {
        "kind": "cuda",
        "arch": "sm_90",
        "libs": ["cudnn"],
        "flow": {"a.b": 1},
        "host": {**LLVM, "libs": ["mkl"]},
    }
    assert preimage(body, "/host")["libs"] == ["mkl", "cudnn"]
    assert preimage(body, "/host")["flow"] == {"a.b": 1}
    assert preimage(body, "")["libs"] == ["cudnn"]


def test_code_generators_are_nearest_first() -> None:
    inner: Json = {"kind": "byoc", "codegen": "inner", "devices": ["c"], "host": "c"}
    body: Json = {
        "kind": "byoc",
        "codegen": "outer",
        "devices": [{"kind": "composite", "devices": [inner]}],
    }
    for pointer in ("/devices/0/devices/0/devices/0", "/devices/0/devices/0/host"):
        assert preimage(body, pointer)["codegen"] == ["inner", "outer"]
    assert "codegen" not in preimage({"kind": "composite", "devices": ["c"]}, "/devices/0")


@pytest.mark.parametrize(
    ("inner", "outer", "flow"),
    [
        ({}, {}, None),
        ({"link-params": True}, {"link-params": False}, None),
        ({"a.b": 1}, {"a.b": 2, "c.d": 3}, {"a.b": 1, "c.d": 3}),
        ({}, {"enable-byoc": ["x"]}, {"enable-byoc": ["x"]}),
        ({"enable-byoc": []}, {"enable-byoc": ["x"]}, None),  # the nearest wins, and says none
        ({"tir.disable_vectorize": True}, {}, {"tirx.disable_vectorize": True}),
        ({"tirx.disable_vectorize": False}, {"tir.disable_vectorize": True}, None),  # the default
        ({"tir.noalias": False}, {"tirx.noalias": True}, {"tirx.noalias": False}),
        ({"tir.usmp.enable": True}, {}, {"tir.usmp.enable": True}),  # TVM no longer has it
    ],
)
def test_the_nearest_flow_setting_is_in_the_key(inner: Json, outer: Json, flow: Json) -> None:
    body: Json = {"kind": "composite", "flow": outer, "devices": [{**LLVM, "flow": inner}]}
    assert preimage(body, "/devices/0").get("flow") == flow
