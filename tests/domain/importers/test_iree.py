# ruff: noqa: E501 - tables read best in rows
"""Reading flags of iree-compile and attributes of its code: one machine, or none."""

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Refused
from registry.domain.exporting import Subject
from registry.domain.formats.iree import write
from registry.domain.importers.iree import IMPORTER
from registry.domain.importing import Imported
from tests.domain.builders import KINDS, refusal, target_of
from tests.domain.formats.subjects import catalogue
from ttag_rules.compiled_options import compiled_options

LOCAL = "--iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu"
ZEN = '#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "znver4", cpu_features = "+avx,-cldemote", data_layout = "e-m:e", native_vector_size = 64 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf", ukernels = "none"}>'
ZEN_BODY = {
    "kind": "llvm",
    "mtriple": "x86_64-unknown-unknown-eabi-elf",
    "mcpu": "znver4",
    "mattr": ["+avx", "-cldemote"],
}
HIP = '#hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.gpu.target = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|int8, subgroup = none>>}>'

SPIRV = '#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", {spirv.target_env = #spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<subgroup_size = 64>>}>'


def read(source: Any) -> Imported:
    return IMPORTER.read(source, KINDS)


READ: list[tuple[str, dict[str, Any]]] = [
    (f"{LOCAL} \\\n --iree-llvmcpu-target-cpu=znver4 \\", {"kind": "llvm", "mcpu": "znver4"}),
    (f"iree-compile m.mlir {LOCAL} --iree-llvmcpu-target-triple=aarch64-linux-gnu --iree-llvmcpu-target-cpu-features=+neon,+dotprod", {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mattr": ["+neon", "+dotprod"]}),
    ("--iree-hal-target-backends=dylib-llvm-aot --iree-llvm-target-cpu=haswell", {"kind": "llvm", "mcpu": "haswell"}),
    (f"{LOCAL} --iree-llvmcpu-target-cpu=znver4 --iree-llvmcpu-target-vector-width-in-bytes=32", {"kind": "llvm", "mcpu": "znver4", "vector-width": 256}),
    ("--iree-hal-target-device=cuda --iree-cuda-target=sm_80", {"kind": "cuda", "arch": "sm_80"}),
    ("-iree-hal-target-backends=cuda -iree-hal-cuda-llvm-target-arch=sm_80", {"kind": "cuda", "arch": "sm_80"}),
    ("--iree-hal-target-device=hip --iree-hip-target=gfx942", {"kind": "rocm", "mcpu": "gfx942"}),
    ("--iree-hal-target-backends=rocm --iree-rocm-target-chip gfx1100", {"kind": "rocm", "mcpu": "gfx1100"}),
    ("--iree-hal-target-device=vulkan --iree-vulkan-target=adreno", {"kind": "vulkan", "device": "adreno"}),
    ("--iree-hal-target-device=vulkan --iree-vulkan-target=mali-g78", {"kind": "vulkan", "device": "mali", "model": "mali-g78"}),
    ("--iree-hal-target-backends=metal-spirv", {"kind": "metal"}),
    (ZEN, ZEN_BODY),
    (f"#x = {ZEN}\n#d = #hal.device.target<\"local\", [#x]> : !hal.device", ZEN_BODY),
    (f'#hal.device.target<"local", [{ZEN}]>\n{ZEN}', ZEN_BODY),
    (f'#hal.device.target<"hip", [{HIP}]> : !hal.device', {"kind": "rocm", "mcpu": "gfx942"}),
    ('#hal.executable.target<"cuda", "cuda-nvptx-fb", {iree.gpu.target = #iree_gpu.target<arch = "sm_86">}>', {"kind": "cuda", "arch": "sm_86"}),
    (HIP.replace('features = ""', 'features = "+sramecc,-xnack"'), {"kind": "rocm", "mcpu": "gfx942", "mattr": ["+sramecc", "-xnack"]}),
    ('#iree_gpu.target<arch = "gfx90a", features = "-xnack">', {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["-xnack"]}),
    (SPIRV, {"kind": "vulkan"}),
    (ZEN.replace("cpu =", 'cpu = "znver4", cpu ='), ZEN_BODY),
    ('#iree_gpu.target<arch = "gfx1100",', {"kind": "rocm", "mcpu": "gfx1100"}),
]  # fmt: skip
REJECTED = [
    ("", "OPTION_MISSING", "no flag states a target"),
    ("llvm -mcpu=haswell", "OPTION_MISSING", "no flag states a target"),
    (LOCAL, "OPTION_MISSING", "nothing is stated about the CPU"),
    (f"{LOCAL} --iree-llvmcpu-target-cpu=host", "OPTION_INVALID", "host is the machine that builds"),
    (f"{LOCAL} --iree-llvmcpu-target-cpu-features=host", "OPTION_INVALID", "host is the machine"),
    (f"{LOCAL} --iree-llvmcpu-target-cpu=a --iree-llvmcpu-target-cpu=b", "TWO_TARGETS", "is a and also b"),
    (f"{LOCAL} --iree-llvmcpu-target-cpu=", "OPTION_INVALID", "has no value"),
    (f"{LOCAL} --iree-llvmcpu-target-cpu=a --iree-llvmcpu-target-vector-width-in-bytes=x", "VALUE_TYPE", "x is not a number"),
    (f"{LOCAL} --iree-hal-target-device=cuda --iree-cuda-target=sm_80", "TWO_TARGETS", "llvm-cpu and cuda are different"),
    ("--iree-hal-target-backends=llvm-cpu,cuda", "TWO_TARGETS", "llvm-cpu and cuda are different"),
    ("--iree-cuda-target=sm_80 --iree-hip-target=gfx942", "TWO_TARGETS", "cuda and rocm are different"),
    ("--iree-hal-target-device=cuda", "OPTION_MISSING", "the architecture of the cuda GPU"),
    ("--iree-hal-target-device=hip --iree-hip-target=mi300x", "OPTION_MISSING", "mi300x is not the"),
    ("--iree-hal-target-device=tpu", "OPTION_INVALID", "tpu is not a device of IREE"),
    ("--iree-hal-target-backends=vmvx", "OPTION_INVALID", "vmvx compiles for no particular machine"),
    ("--iree-hal-target-backends=vulkan --iree-vulkan-target=valhall4", "OPTION_INVALID", "valhall4 is a name of IREE"),
    ("--iree-hal-target-backends=vulkan --iree-vulkan-target=mali-g68", "OPTION_INVALID", "mali-g68 is a name of IREE"),
    (f"{ZEN} {ZEN.replace('znver4', 'znver3')}", "TWO_TARGETS", "the text has different targets"),
    (f"{ZEN} {HIP}", "TWO_TARGETS", "the text has different targets"),
    (ZEN.replace("cpu =", 'cpu = "znver3", cpu ='), "TWO_TARGETS", "cpu is znver3 and also znver4"),
    (HIP + HIP.replace('features = ""', 'features = "-xnack"'), "TWO_TARGETS", "the text has different targets"),
    (ZEN[:-1], "QUOTE_OPEN", "#hal.executable.target< is not closed"),
    ('#hal.executable.target<llvm>', "OPTION_MISSING", "the backend is not stated"),
    ('#hal.executable.target<"cuda", "cuda-nvptx-fb">', "OPTION_MISSING", "the architecture of the cuda"),
    ('#hal.executable.target<"vmvx", "vmvx-bytecode-fb">', "OPTION_INVALID", "vmvx compiles for no"),
    ('#hal.device.target<"vulkan">', "OPTION_MISSING", "a device without #hal.executable.target"),
    ('#hal.device.target<"local", [#x]>', "OPTION_MISSING", "a device without"),
    ('#iree_gpu.target<arch = "valhall4">', "OPTION_MISSING", "valhall4 does not say whose GPU"),
    ({"kind": "llvm"}, "VALUE_TYPE", "is not text"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "body"), READ)
def test_targets_of_iree_are_read(text: str, body: dict[str, Any]) -> None:
    assert read(text).body == body
    assert target_of(body)["kind"] == body["kind"]


@pytest.mark.parametrize(("text", "code", "message"), REJECTED)
def test_texts_without_one_known_machine_are_rejected(text: Any, code: str, message: str) -> None:
    (fault,) = refusal(lambda: read(text)).faults
    assert message in fault.message
    assert fault.code == code


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ZEN, "left out, as IREE derives it from the rest unless a flag states it: data_layout, native_vector_size, ukernels"),
        (ZEN.replace("cpu =", 'link_embedded = false, tune_cpu = "znver3", cpu ='), "left out, as a target does not state it: link_embedded, tune_cpu"),
        (SPIRV, "left out, as a target does not state it: spirv.target_env"),
        ('#hal.executable.target<"cuda", "cuda-nvptx-fb", {iree.gpu.target = #iree_gpu.target<arch = "sm_86", features = "+ptx76">}>', "left out the features of the GPU: +ptx76"),
        (HIP, "left out what the architecture of the GPU implies"),
        (f"{LOCAL} --iree-llvmcpu-target-cpu=a -o m", "left out, as a target does not state it: -o m"),
        (f"{LOCAL} --iree-llvmcpu-target-cpu=a", "no triple is stated: add mtriple"),
        (
            f"{LOCAL} --iree-llvmcpu-target-cpu=a --iree-cuda-target=sm_80",
            "left out what is stated about cuda: it is not selected",
        ),
    ],
)  # fmt: skip
def test_what_is_left_out_is_noted(text: str, message: str) -> None:
    assert message in [note.message for note in read(text).notes]


def test_what_the_format_writes_is_never_read_as_something_else() -> None:
    """Flags express less than a target, and those of nvptx are those of cuda.

    The triple is the one that LLVM reads, and the float ABI that it implies is stated.
    """
    read_back = 0
    for subject in list(catalogue().values())[::23]:
        assert isinstance(subject, Subject)
        target = subject.target
        if "devices" in target or target["kind"] == "nvptx":
            continue
        with suppress(Refused):
            body = target_of(read(write(subject).content).body)
            assert body.items() <= compiled_options(target).items()
            read_back += 1
    assert read_back > 20


@given(st.lists(st.sampled_from([*(text for text, _ in READ), '"', "<", ">", "=", ","])))
def test_any_text_is_read_or_rejected(parts: list[str]) -> None:
    with suppress(Refused):
        assert read(" ".join(parts)).body["kind"] in KINDS.targets


@pytest.mark.parametrize(
    "part", ["#hal.executable.target<", "#iree_gpu.target<", "<", '"', "--iree-a "]
)
def test_no_text_is_slow(part: str) -> None:
    began = time.process_time()
    with suppress(Refused):
        read(part * (MAX_BYTES // len(part)))
    assert time.process_time() - began < 5
