# ruff: noqa: E501 - tables read best in rows
import shlex
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code
from registry.domain.toolchains.flags import find_cpu_node, flag_losses, shell_line
from tests.domain.builders import refusal
from tests.domain.formats.machines import machine

CPU = {"kind": "llvm", "mtriple": "x86_64-linux-gnu"}
GPU = {"kind": "cuda", "arch": "sm_87"}

NODES: list[tuple[dict[str, Any], str]] = [
    (CPU, ""),
    ({"kind": "c"}, ""),
    ({"kind": "hexagon"}, ""),
    ({**CPU, "host": "c"}, ""),
    ({**GPU, "host": CPU}, "/host"),
    ({"kind": "opencl", "host": {"kind": "cuda_host", "host": CPU}}, "/host/host"),
    ({"kind": "composite", "devices": [GPU, "c"], "host": CPU}, "/host"),
    ({"kind": "byoc", "codegen": "x", "devices": [GPU], "host": CPU}, "/host"),
]


@pytest.mark.parametrize(("body", "pointer"), NODES, ids=range(len(NODES)))
def test_flags_are_for_the_target_or_its_host(body: dict[str, Any], pointer: str) -> None:
    assert find_cpu_node(machine(body)).pointer == pointer


def test_a_single_gpu_node_uses_its_enclosing_host() -> None:
    board = {"kind": "composite", "devices": {"gpu": GPU}, "host": CPU}
    assert find_cpu_node(machine(board, "/devices/gpu")).value == CPU


@pytest.mark.parametrize(
    ("body", "node", "suggested"),
    [
        (GPU, "", ()),
        ({"kind": "opencl", "host": "cuda_host"}, "", ()),
        ({"kind": "composite", "devices": {"b": CPU, "a": GPU}}, "", ("/devices/b",)),
        ({"kind": "composite", "devices": {"x": {"kind": "composite", "devices": ["c"]}}}, "/devices/x", ("/devices/x/devices/0",)),
    ],
)  # fmt: skip
def test_without_a_cpu_inner_cpus_are_suggested(
    body: dict[str, Any], node: str, suggested: tuple[str, ...]
) -> None:
    refused = refusal(lambda: find_cpu_node(machine(body, node)))
    assert refused.code == Code.FORMAT_UNFIT
    assert refused.suggestions == suggested
    assert ("ask for one of its CPUs" if suggested else "such as llvm") in refused.detail


def test_reasons_of_losses_depend_on_consumers() -> None:
    body = {
        **CPU,
        "num-cores": 4,
        "jit": "orcjit",
        "libs": ["mkl"],
        "model": "m",
        "hardware": {"cores": 4},
        "executor": "vm",
        "runtime": "cpp",
        "flow": {"link-params": True},
        "host": "c",
    }
    subject = machine({"kind": "composite", "devices": ["c"], "host": body})
    node = find_cpu_node(subject)
    dropped = flag_losses(subject, [node], {"/host/kind"}, {"/host/mtriple": "of its own"})
    words = {loss.pointer: loss.reason.partition(";")[0] for loss in dropped}
    assert words == {
        "/kind": "it is outside the part that the flags describe",
        "/devices": "it is outside the part that the flags describe",
        "/host/mtriple": "of its own",
        "/host/num-cores": "it steers tuning",
        "/host/jit": "it is for the runtime, which loads the kernels",
        "/host/libs": "it is only for generated kernels, not for everything built for the machine",
        "/host/model": "it is for people",
        "/host/hardware": "it is for people",
        "/host/executor": "it is for the executor, which calls the kernels",
        "/host/runtime": "it is for the runtime, which loads the kernels",
        "/host/flow": "it is only for generated kernels, not for everything built for the machine",
        "/host/host": "it is a target of its own",
    }


def test_reasons_come_from_the_innermost_described_node() -> None:
    subject = machine({**GPU, "max_num_threads": 1, "host": {**CPU, "model": "m"}})
    gpu = replace(find_cpu_node(subject), pointer="", value=subject.target)
    dropped = flag_losses(
        subject, [gpu, find_cpu_node(subject)], {"/kind", "/arch", "/host/kind"}, {}
    )
    assert {loss.pointer: loss.reason.partition(";")[0] for loss in dropped} == {
        "/max_num_threads": "it steers tuning",
        "/host/mtriple": "it is only for generated kernels, not for everything built for the machine",
        "/host/model": "it is for people",
    }


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
def test_a_line_splits_into_the_same_words(words: list[str]) -> None:
    assert shlex.split(shell_line(words)) == words


def test_plain_flags_are_not_quoted() -> None:
    assert shell_line(["-mcpu=cortex-a72", "+v8.2a", "a@b"]) == "-mcpu=cortex-a72 +v8.2a a@b"
