# ruff: noqa: E501 - tables read best in rows
"""Reading a command line of several targets."""

import json
import re
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Code, Refused, TextPosition
from registry.domain.importing import Imported
from registry.domain.resolution.resolution import MAX_NODES
from registry.domain.tvm.command_line_targets import read_line
from registry.domain.tvm.removed_options import EXTERNAL
from tests.domain.builders import KINDS, refusal, target_of

LLVM, CUDA, C = {"kind": "llvm"}, {"kind": "cuda"}, {"kind": "c"}
AOT = {"kind": "aot", "unpacked-api": True}


def read(line: str) -> Imported:
    return read_line(line, KINDS)


def composite(*devices: Any, **members: Any) -> dict[str, Any]:
    return {"kind": "composite", "devices": list(devices), **members}


def byoc(codegen: str, device: Any) -> dict[str, Any]:
    return {"kind": "byoc", "codegen": codegen, "devices": [device]}


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("cuda, llvm", composite(CUDA, LLVM, host=LLVM)),
        ("llvm,cuda", composite(LLVM, CUDA, host=LLVM)),
        ("cuda, opencl", composite(CUDA, {"kind": "opencl"})),
        ("llvm, c", composite(LLVM, C)),
        ("llvm, llvm", composite(LLVM, LLVM)),
        ("nvidia/a100, llvm", composite("nvidia/a100", LLVM, host=LLVM)),
        ("nvidia/a100 -libs=cudnn, arm/soc", composite({"tag": "nvidia/a100", "libs": ["cudnn"]}, "arm/soc")),
        ("cuda -host=c, llvm", composite({**CUDA, "host": C}, LLVM, host=LLVM)),
        ("cudnn, cuda", composite(byoc("cudnn", CUDA), CUDA, flow={"enable-byoc": ["cudnn"]})),
        ("cuda, cudnn", composite(CUDA, byoc("cudnn", CUDA), flow={"enable-byoc": ["cudnn"]})),
        (
            "ethos-u, cmsis-nn, cuda, c",
            composite(byoc("ethos-u", C), byoc("cmsis-nn", C), CUDA, C, host=C, flow={"enable-byoc": ["ethos-u", "cmsis-nn"]}),
        ),
        (
            "cublas, cublas, nvidia/a100",
            composite(byoc("cublas", "nvidia/a100"), byoc("cublas", "nvidia/a100"), "nvidia/a100", flow={"enable-byoc": ["cublas"]}),
        ),
        (
            "cmsis-nn, c -runtime=c -executor=aot -unpacked-api=1 -link-params",
            composite(byoc("cmsis-nn", C), C, host=C, executor=AOT, runtime="crt", flow={"enable-byoc": ["cmsis-nn"], "link-params": True}),
        ),
        (
            "cuda -system-lib, opencl -system-lib=0, llvm -system-lib",
            composite(CUDA, {"kind": "opencl", "runtime": {"kind": "cpp", "system-lib": False}}, LLVM, host=LLVM, runtime={"kind": "cpp", "system-lib": True}),
        ),
        (
            "cuda -system-lib, opencl",
            composite({**CUDA, "runtime": {"kind": "cpp", "system-lib": True}}, {"kind": "opencl"}),
        ),
    ],
)  # fmt: skip
def test_several_targets_become_a_composite(line: str, body: dict[str, Any]) -> None:
    assert read(line).body == body


@pytest.mark.parametrize("codegen", sorted(EXTERNAL))
def test_every_external_code_generator_becomes_a_byoc(codegen: str) -> None:
    target = target_of(read(f"{codegen}, llvm").body)
    assert target["devices"][0] == byoc(codegen, LLVM)
    assert target["flow"] == {"enable-byoc": [codegen]}


def test_roles_left_out_options_and_mends_are_noted() -> None:
    line = (
        "ethos-u -accelerator_config=u55-256 --flag, cmsis-nn, llvm -runtime=c -mattr= -link-params"
    )
    assert [note.message for note in read(line).notes] == [
        "-accelerator_config at character 8 is relay.ext.ethos-u.options.accelerator_config in the flow",
        "-flag at character 36 is left out: the code generator ethos-u was configured with flag, for which the flow has no setting",
        "-mattr at character 70 is left out, as its list is empty",
        "-runtime at character 59: the runtime c is named crt",
        "-link-params at character 78: link-params belongs to the flow",
        "ethos-u is an external code generator: a byoc around llvm, enabled in the flow",
        "cmsis-nn is an external code generator: a byoc around llvm, enabled in the flow",
        "llvm is the only CPU, and so also the host; all targets share its runtime and flow",
    ]
    assert all(note.pointer == "" for note in read(line).notes)


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ("ethos-u -accelerator_config=ethos-u55-256 -enable_cascader=1", {"relay.ext.ethos-u.options.accelerator_config": "ethos-u55-256", "relay.ext.ethos-u.options.enable_cascader": True}),
        ("cmsis-nn -mcpu=cortex-m55 -mattr=+nomve", {"relay.ext.cmsisnn.options.mcpu": "cortex-m55"}),
        ("mrvl -num_tiles=4", {"relay.ext.mrvl.options.num_tiles": 4}),
        ("ethos-u -dev_max_open_plans=8 -mcpu=cortex-m55", {}),
        ("tensorrt -use_fp16", {}),
        ("cmsis-nn -mcpu", {}),
    ],
)  # fmt: skip
def test_options_of_known_code_generators_are_settings_and_others_are_left_out(
    options: str, settings: dict[str, Any]
) -> None:
    imported = read(f"{options}, c")
    codegen = options.split(maxsplit=1)[0]
    assert target_of(imported.body)["flow"] == {"enable-byoc": [codegen], **settings}
    left_out = [note for note in imported.notes if "is left out" in note.message]
    assert len(left_out) == options.count(" -") - len(settings)


@pytest.mark.parametrize(
    "line",
    [
        "ethos-u -accelerator_config=ethos-u99, c",
        "ethos-u -accelerator_config=../x, c",
        "ethos-u -enable_cascader=perhaps, c",
        "ethos-u -accelerator_config=ethos-u55-64, ethos-u -accelerator_config=ethos-u55-32, c",
    ],
)
def test_options_of_code_generators_without_one_valid_value_are_rejected(line: str) -> None:
    assert refusal(lambda: target_of(read(line).body)).faults


@pytest.mark.parametrize(
    ("line", "runtimes"),
    [
        ("llvm -system-lib=0", []),
        ("cuda -system-lib=0 -host='llvm -system-lib=0'", []),
        ("cuda, opencl -system-lib=0, llvm", []),
        ("llvm -system-lib", [True]),
        ("cuda -system-lib=0 -host='llvm -system-lib'", [False, True]),
        ("cuda, opencl -system-lib=0, llvm -system-lib", [False, True]),
    ],
)
def test_no_system_library_is_stated_only_beside_another_runtime(
    line: str, runtimes: list[bool]
) -> None:
    text = json.dumps(read(line).body)
    values = [word == "true" for word in re.findall(r'"system-lib": (true|false)', text)]
    assert sorted(values) == runtimes


@pytest.mark.parametrize(
    ("line", "code", "message", "column"),
    [
        ("cuda, lvm", Code.KIND_UNKNOWN, "at character 6: lvm is not a known kind", 7),
        ("cuda, llvm -mcpuu=x", "OPTION_UNKNOWN", "-mcpuu at character 11: llvm has no option mcpuu", 12),
        ("cmsisnn,c", Code.KIND_UNKNOWN, "at character 0: cmsisnn is not a known kind", 1),
        ("vulkan -from_device=0, llvm", "OPTION_UNKNOWN", "-from_device at character 7: from_device asks", 8),
        ("cuda, +b", Code.KIND_UNKNOWN, "at character 6: +b is not a known kind", 7),
        ("hybrid, llvm", Code.KIND_UNKNOWN, "at character 0: hybrid is a kind that TVM removed", 1),
        ("cudnn, lvm", Code.KIND_UNKNOWN, "at character 7: lvm is not a known kind", 8),
        ("cudnn x, cuda", "OPTION_INVALID", "x at character 6 does not begin with a dash", 7),
        ("cuda, llvm -mcpu='x", "QUOTE_OPEN", "the quote at character 17 is not closed", 18),
        ("cuda, {", "JSON_INVALID", "the target at character 6: Invalid JSON", 7),
    ],
)  # fmt: skip
def test_faults_have_positions(line: str, code: str, message: str, column: int) -> None:
    (fault,) = refusal(lambda: read(line)).faults
    assert (fault.pointer, fault.code) == ("", code)
    assert fault.message.startswith(message)
    assert fault.place == TextPosition(1, column)


@pytest.mark.parametrize("line", ["cmsis-nn", "ethos-u,cmsis-nn"])
def test_code_generators_alone_are_rejected(line: str) -> None:
    (fault,) = refusal(lambda: read(line)).faults
    assert "external code generator" in fault.message
    assert "ordinary target" in fault.message
    assert "llvm" in fault.expected
    assert not fault.suggestions


def test_more_targets_than_a_target_can_hold_are_rejected() -> None:
    refused = refusal(lambda: read("c," * MAX_NODES + "c"))
    assert refused.code == Code.TOO_LARGE
    assert f"{MAX_NODES + 1} targets" in refused.detail
    assert len(target_of(read("c," * (MAX_NODES - 2) + "c").body)["devices"]) == MAX_NODES - 1


def test_a_line_longer_than_a_body_is_rejected_before_it_is_read() -> None:
    refused = refusal(lambda: read("llvm" + " -a=b" * MAX_BYTES))
    assert refused.code == Code.TOO_LARGE
    assert f"at most {MAX_BYTES}" in refused.detail


def test_an_unknown_kind_suggests_code_generators_too() -> None:
    (fault,) = refusal(lambda: read("cmsisnn, c")).faults
    assert fault.suggestions == ("cmsis-nn",)


WORDS = st.sampled_from(
    ["llvm", "cuda", "cudnn", "a/b", ",", " ", ", ", "-mattr=", "+a", "'", "-host=", "{", "\\", "-runtime=c", "-x"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12).map("".join))
def test_any_line_is_read_or_rejected(line: str) -> None:
    with suppress(Refused):
        assert isinstance(read(line).body, dict)


LONG = {
    "targets": "c," * (MAX_BYTES // 2),
    "blanks": "c, " * (MAX_BYTES // 3),
    "code generators": "mrvl," * (MAX_BYTES // 5) + "c",
    "slashes": "a/" + "b," * (MAX_BYTES // 2),
    "wide": "c," + " " * MAX_BYTES + ",c",
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_no_line_is_slow(line: str) -> None:
    """The limit is far above linear time and far below quadratic time."""
    began = time.process_time()
    with suppress(Refused):
        read(line)
    assert time.process_time() - began < 5
