"""Flags of iree-compile: one description for each device, and reasons for the rest."""

import shlex
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Export, Subject
from registry.domain.formats.iree import FORMAT
from tests.domain.builders import KINDS, refusal
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.strategies import targets
from ttag_rules.pointer import split_pointer

CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a78"}
CPU_FLAGS = [
    "--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu",
    "--iree-llvmcpu-target-cpu=cortex-a78",
]
OTHER_CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "znver3"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_87"}
ON_CPU = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"]
ON_GPU = "--iree-hal-target-device=cuda"


def written(target: Subject) -> Export | None:
    """Return the flags of a target; None if it is rejected, with a reason."""
    try:
        return FORMAT.write(target)
    except Refused as refused:
        if refused.code is not Code.FORMAT_UNFIT:
            raise
        return None


def flags(export: Export) -> list[str]:
    assert isinstance(export.content, str)
    return export.content.splitlines()


def dropped(export: Export) -> dict[str, str]:
    return {loss.pointer: loss.reason for loss in export.dropped}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"kind": "llvm"}, ON_CPU),
        (CPU, [*ON_CPU, *CPU_FLAGS]),
        (
            {
                "kind": "llvm",
                "mtriple": "armv7a-linux-gnueabihf",
                "mcpu": "cortex-a7",
                "mattr": ["+neon", "-crc"],
                "mabi": "aapcs",
                "mfloat-abi": "hard",
                "vector-width": 128,
            },
            [
                *ON_CPU,
                "--iree-llvmcpu-target-triple=armv7a-unknown-linux-gnueabihf",
                "--iree-llvmcpu-target-cpu=cortex-a7",
                "--iree-llvmcpu-target-cpu-features=+neon,-crc",
                "--iree-llvmcpu-target-abi=aapcs",
                "--iree-llvmcpu-target-float-abi=hard",
                "--iree-llvmcpu-target-vector-width-in-bytes=16",
            ],
        ),
        ({**CPU, "mattr": []}, [*ON_CPU, *CPU_FLAGS]),
        ({**CPU, "host": CPU}, [*ON_CPU, *CPU_FLAGS]),
        (GPU, [ON_GPU, "--iree-cuda-target=sm_87"]),
        ({**GPU, "host": CPU}, [ON_GPU, "--iree-cuda-target=sm_87", *CPU_FLAGS]),
        (
            {"kind": "nvptx", "mcpu": "sm_80", "mtriple": "nvptx64-nvidia-cuda"},
            [ON_GPU, "--iree-cuda-target=sm_80"],
        ),
        (
            {
                "kind": "rocm",
                "mcpu": "gfx942",
                "mtriple": "amdgcn-amd-amdhsa-hcc",
                "mattr": ["+xnack"],
            },
            [
                "--iree-hal-target-device=hip",
                "--iree-rocm-target=gfx942",
                "--iree-rocm-target-features=+xnack",
            ],
        ),
        ({"kind": "vulkan"}, ["--iree-hal-target-device=vulkan"]),
        (
            {"kind": "vulkan", "device": "adreno"},
            ["--iree-hal-target-device=vulkan", "--iree-vulkan-target=adreno"],
        ),
        (
            {"kind": "vulkan", "device": "mali", "model": "mali-g78"},
            ["--iree-hal-target-device=vulkan", "--iree-vulkan-target=mali-g78"],
        ),
        ({"kind": "metal"}, ["--iree-hal-target-device=metal"]),
        (
            {"kind": "composite", "devices": [GPU, CPU], "host": CPU},
            [ON_GPU, *ON_CPU, "--iree-cuda-target=sm_87", *CPU_FLAGS],
        ),
    ],
)
def test_targets_that_are_written_completely(body: Json, expected: list[str]) -> None:
    export = FORMAT.write(subject(body))
    assert flags(export) == expected
    assert not export.dropped


@pytest.mark.parametrize(
    ("triple", "platform"),
    [
        ("arm64-apple-macos", ["macos"]),
        ("arm64-apple-macosx13.0.0", ["macos"]),
        ("x86_64-apple-darwin", ["macos"]),
        ("arm64-apple-ios17.0", ["ios"]),
        ("arm64-apple-ios17.0-simulator", ["ios-simulator"]),
        ("arm64-apple-ios17.0-macabi", []),
        ("arm64-apple-tvos", []),
    ],
)
@pytest.mark.parametrize("is_enclosed", [False, True])
def test_apple_platform_comes_from_the_host(
    triple: str, platform: list[str], is_enclosed: bool
) -> None:
    host = {"kind": "llvm", "mtriple": triple}
    device: dict[str, Any] = {"kind": "metal"}
    enclosed = {"kind": "composite", "devices": [device], "host": host}
    export = FORMAT.write(subject(enclosed if is_enclosed else {**device, "host": host}))
    assert flags(export) == [
        "--iree-hal-target-device=metal",
        *(f"--iree-metal-target-platform={item}" for item in platform),
        f"--iree-llvmcpu-target-triple={triple}",
    ]


@pytest.mark.parametrize(
    ("body", "lost"),
    [
        (
            {
                **CPU,
                "keys": ["arm_cpu"],
                "num-cores": 4,
                "opt-level": 2,
                "host": {**CPU, "num-cores": 1},
                "hardware": {"vendor": "Acme"},
                "flow": {"link-params": True},
            },
            ["/keys", "/num-cores", "/opt-level", "/host/num-cores", "/hardware", "/flow"],
        ),
        ({**CPU, "vector-width": 4}, ["/vector-width"]),  # less than a byte
        ({"kind": "vulkan", "device": "mali"}, ["/device"]),  # which generation?
        ({"kind": "vulkan", "device": "mali", "model": "mali-g68"}, ["/device", "/model"]),
        ({"kind": "vulkan", "device": "mali", "model": "immortalis-g720"}, ["/device", "/model"]),
        ({"kind": "vulkan", "device": "mali", "model": "mali-g7"}, ["/device", "/model"]),
        ({"kind": "vulkan", "device": "adreno", "model": "mali-g78"}, ["/model"]),
        ({"kind": "vulkan", "model": "mali-g78"}, ["/model"]),
        ({**GPU, "device": "mali", "model": "mali-g78"}, ["/device", "/model"]),
        ({**GPU, "mcpu": "sm_87"}, ["/mcpu"]),
    ],
)
def test_options_without_a_flag_are_dropped(body: Json, lost: list[str]) -> None:
    export = FORMAT.write(subject(body))
    assert dropped(export) == dict.fromkeys(lost, "iree-compile has no flag for it")


def test_a_device_without_flags_is_dropped_but_its_host_is_not() -> None:
    """The host has flags of its own."""
    body: Json = {
        "kind": "composite",
        "devices": [{"kind": "opencl", "device": "mali", "host": CPU}],
        "executor": "graph",
        "runtime": "cpp",
    }
    assert dropped(FORMAT.write(subject(body))) == {
        "/devices/0/kind": "IREE generates no code for the kind opencl",
        "/devices/0/device": "IREE generates no code for the kind opencl",
        "/executor": "IREE has one of its own",
        "/runtime": "IREE has one of its own",
    }


def test_a_host_that_differs_from_the_cpu_device_is_dropped() -> None:
    export = FORMAT.write(subject({**CPU, "host": OTHER_CPU}))
    assert flags(export) == [*ON_CPU, *CPU_FLAGS]
    assert dropped(export) == {"/host": "the flags describe only one local device, the root"}


def test_a_second_device_of_a_kind_is_dropped_even_if_equal() -> None:
    export = FORMAT.write(subject({"kind": "composite", "devices": {"gpu0": GPU, "gpu1": GPU}}))
    assert flags(export) == [ON_GPU, "--iree-cuda-target=sm_87"]
    assert dropped(export) == {
        "/devices/gpu1": "the flags describe only one cuda device, /devices/gpu0"
    }


def test_devices_are_described_before_hosts() -> None:
    body: Json = {"kind": "composite", "devices": [OTHER_CPU], "host": CPU}
    export = FORMAT.write(subject(body))
    assert flags(export)[2:] == [
        "--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu",
        "--iree-llvmcpu-target-cpu=znver3",
    ]
    assert list(dropped(export)) == ["/host"]


def test_machines_without_hosts_are_compiled_together() -> None:
    machine: Json = {"kind": "composite", "devices": [GPU], "host": CPU}
    other: Json = {"kind": "composite", "devices": ["vulkan", "opencl"], "host": CPU}
    body: Json = {"kind": "composite", "devices": {"machine0": machine, "machine1": other}}
    export = FORMAT.write(subject(body))
    assert flags(export)[:2] == [ON_GPU, "--iree-hal-target-device=vulkan"]
    assert dropped(export) == {
        "/devices/machine0/kind": "flags cannot group devices",
        "/devices/machine1/kind": "flags cannot group devices",
        "/devices/machine1/devices/1": "IREE generates no code for the kind opencl",
    }


def test_machines_with_different_hosts_are_rejected() -> None:
    machine: Json = {"kind": "composite", "devices": [GPU], "host": CPU}
    other: Json = {
        "kind": "composite",
        "devices": ["vulkan"],
        "host": {"kind": "llvm", "mcpu": "x"},
    }
    body: Json = {"kind": "composite", "devices": {"machine0": machine, "machine1": other}}
    refused = refusal(lambda: FORMAT.write(subject(body)))
    assert refused.code == Code.FORMAT_UNFIT
    assert "several machines" in refused.detail
    assert refused.suggestions == ("/devices/machine0", "/devices/machine1")


def test_a_node_is_written_with_its_effective_host() -> None:
    body: Json = {"kind": "composite", "devices": {"npu": "ext_dev", "gpu": GPU}, "host": CPU}
    export = FORMAT.write(subject(body, "/devices/gpu"))
    assert flags(export) == [ON_GPU, "--iree-cuda-target=sm_87", *CPU_FLAGS]
    assert not export.dropped


@pytest.mark.parametrize("devices", [["opencl"], [{"kind": "cuda", "arch": "sm_90a"}, "hexagon"]])
def test_the_host_is_selected_if_no_device_has_flags(devices: Json) -> None:
    export = FORMAT.write(subject({"kind": "composite", "devices": devices, "host": CPU}))
    assert flags(export) == [*ON_CPU, *CPU_FLAGS]
    assert list(dropped(export)) == ["/devices"]


def test_devices_inside_a_byoc_are_dropped() -> None:
    npu: dict[str, Any] = {"kind": "byoc", "codegen": "acme-npu", "devices": [GPU]}
    offloaded = "it is compiled by the code generator of the byoc"
    alone = FORMAT.write(subject({**npu, "host": CPU}))
    assert flags(alone) == [*ON_CPU, *CPU_FLAGS]
    assert dropped(alone) == {
        "/kind": offloaded,
        "/codegen": "iree-compile has no flag for it",
        "/devices": offloaded,
    }
    beside = FORMAT.write(subject({"kind": "composite", "devices": [npu, CPU]}))
    assert flags(beside) == [*ON_CPU, *CPU_FLAGS]
    assert dropped(beside) == {"/devices/0": offloaded}


@pytest.mark.parametrize(
    ("body", "why", "nodes_that_fit"),
    [
        ({"kind": "c"}, "IREE generates no code for the kind c", []),
        ({"kind": "webgpu"}, "IREE generates no code for the kind webgpu", []),
        ({"kind": "cuda"}, "IREE needs the arch; expected one of sm_60, ", []),
        ({"kind": "rocm"}, "IREE needs the mcpu; expected one of gfx908, ", []),
        ({"kind": "nvptx", "mcpu": "sm_53"}, "IREE does not support the mcpu sm_53", []),
        ({"kind": "rocm", "mcpu": "gfx906"}, "IREE does not support the mcpu gfx906", []),
        (
            {"kind": "llvm", "mtriple": "s390x-linux-gnu"},
            "IREE does not support the architecture s390x; expected one of aarch64, ",
            [],
        ),
        ({"kind": "opencl", "host": CPU}, "IREE generates no code for the kind opencl", ["/host"]),
        (
            {"kind": "composite", "devices": ["trn", "opencl"], "host": "c"},
            "IREE generates no code for the kind c",
            [],
        ),
    ],
)
def test_targets_unknown_to_iree_are_rejected(
    body: Json, why: str, nodes_that_fit: list[str]
) -> None:
    refused = refusal(lambda: FORMAT.write(subject(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail.startswith(f"iree-compile cannot compile for acme/board@1.0.0: {why}")
    assert refused.faults[0].message in refused.detail
    assert list(refused.suggestions) == nodes_that_fit


@pytest.mark.parametrize(
    ("body", "host"),
    [
        ({"kind": "composite", "devices": [{"kind": "opencl", "host": CPU}]}, "/devices/0/host"),
        ({"kind": "composite", "devices": ["opencl"], "host": CPU}, "/host"),
    ],
)
def test_suggestions_are_pointers_into_the_whole_document(body: Json, host: str) -> None:
    refused = refusal(lambda: FORMAT.write(subject(body, "/devices/0")))
    assert refused.detail.startswith("iree-compile cannot compile for acme/board@1.0.0#/devices/0")
    assert list(refused.suggestions) == [host]


def test_catalogue_gpus_unknown_to_iree_are_listed() -> None:
    unfit = [item.target for item in catalogue().values() if written(item) is None]
    assert {target["arch"] for target in unfit if target["kind"] == "cuda"} == {
        *("sm_20", "sm_21", "sm_30", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53"),
        *("sm_90a", "sm_100a", "sm_103a", "sm_110a"),
    }


@given(targets)
def test_flags_parse_as_shell_words(body: Json) -> None:
    export = written(subject(body))
    if export:
        words = shlex.split(str(export.content))
        assert words == flags(export)
        assert all(word.startswith("--iree-") for word in words)


@given(targets)
def test_no_flag_is_repeated(body: Json) -> None:
    export = written(subject(body))
    names = [flag.partition("=")[0] for flag in flags(export)] if export else []
    described = [name for name in names if name != "--iree-hal-target-device"]
    assert len(described) == len(set(described))


@pytest.mark.parametrize("cpu", ["a b", "$(touch x)", "it's", 'a"b', "a\\", "@file", "`x`", "a;b"])
def test_any_option_text_is_quoted(cpu: str) -> None:
    export = FORMAT.write(Subject("acme/board@1.0.0", {"kind": "llvm", "mcpu": cpu}, KINDS))
    assert shlex.split(str(export.content))[2:] == [f"--iree-llvmcpu-target-cpu={cpu}"]


@given(targets)
def test_removing_dropped_values_changes_no_flag(body: Json) -> None:
    """Kinds of groups stay, because a target needs one."""
    root = subject(body)
    export = written(root)
    if export:
        for pointer in reversed(dropped(export)):
            if not pointer.endswith("/kind"):
                remove(root.target, pointer)
        assert FORMAT.write(root).content == export.content


def remove(document: Any, pointer: str) -> None:
    *path, last = split_pointer(pointer)
    for token in path:
        document = document[int(token) if isinstance(document, list) else token]
    del document[int(last) if isinstance(document, list) else last]


M7: dict[str, Any] = {"kind": "c", "mcpu": "cortex-m7"}
ON_BARE_METAL = [
    *ON_CPU,
    "--output-format=vm-c",
    "--iree-llvmcpu-link-embedded=false",
    "--iree-llvmcpu-link-static",
    "--iree-llvmcpu-target-triple=arm-none-eabi",
]


@pytest.mark.parametrize(
    ("cpu", "float_abi"), [("cortex-m7", "hard"), ("cortex-m55", "hard"), ("cortex-m3", "soft")]
)
def test_a_model_is_compiled_ahead_of_time_for_bare_metal(cpu: str, float_abi: str) -> None:
    body = {"kind": "c", "mcpu": cpu, "executor": "aot", "runtime": "crt"}
    assert flags(FORMAT.write(subject(body))) == [
        *ON_BARE_METAL,
        f"--iree-llvmcpu-target-cpu={cpu}",
        f"--iree-llvmcpu-target-float-abi={float_abi}",
    ]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (M7, "IREE generates no code for the kind c but for aot on crt"),
        (M7 | {"executor": "aot"}, "IREE generates no code for the kind c but for aot on crt"),
        (
            M7 | {"executor": "graph", "runtime": "crt"},
            "IREE generates no code for the kind c but for aot on crt",
        ),
        (
            M7 | {"executor": "aot", "runtime": "cpp"},
            "IREE generates no code for the kind c but for aot on crt",
        ),
        (
            {"kind": "c", "mcpu": "esp32", "executor": "aot", "runtime": "crt"},
            "IREE does not support the mcpu esp32",
        ),
        (
            {"kind": "c", "mcpu": "cortex-m4+nofp", "executor": "aot", "runtime": "crt"},
            "IREE does not support the mcpu cortex-m4+nofp",
        ),
        ({"kind": "c", "executor": "aot", "runtime": "crt"}, "IREE needs the mcpu"),
    ],
)
def test_other_c_code_is_not_left_to_iree(body: Json, why: str) -> None:
    refused = refusal(lambda: FORMAT.write(subject(body)))
    assert refused.faults[0].message.startswith(why)


def test_a_cpu_with_a_system_gets_no_flags_of_bare_metal() -> None:
    text = FORMAT.write(subject(CPU | {"executor": "aot", "runtime": "crt"})).text
    assert flags(FORMAT.write(subject(CPU))) == text.splitlines()


@pytest.mark.parametrize(
    ("cpu", "why"),
    [
        (
            {"mtriple": "riscv64-elf", "mcpu": "sifive-p870"},
            "IREE does not know the mcpu sifive-p870",
        ),
        (
            {"mtriple": "thumbv7m-none-eabi", "mcpu": "cortex-m3"},
            "IREE uses registers that cortex-m3 lacks; expected mfloat-abi soft",
        ),
        (
            {"mtriple": "riscv32-unknown-elf", "mcpu": "sifive-e76", "mabi": "ilp32"},
            "IREE passes floats in registers for sifive-e76, whatever mabi says",
        ),
    ],
)
def test_a_cpu_that_iree_refuses_or_misreads_is_rejected(cpu: dict[str, Any], why: str) -> None:
    refused = refusal(lambda: FORMAT.write(subject({"kind": "llvm", **cpu})))
    assert refused.faults[0].message == why


def test_calls_in_registers_of_such_a_cpu_are_written() -> None:
    body = {
        "kind": "llvm",
        "mtriple": "riscv32-unknown-elf",
        "mcpu": "sifive-e76",
        "mabi": "ilp32f",
    }
    assert "--iree-llvmcpu-target-abi=ilp32f" in flags(FORMAT.write(subject(body)))


def test_a_cpu_without_floating_point_is_written_with_its_calling_convention() -> None:
    body = {"kind": "llvm", "mtriple": "thumbv7m-none-eabi", "mcpu": "cortex-m3"}
    text = FORMAT.write(subject(body | {"mfloat-abi": "soft"})).text
    assert "--iree-llvmcpu-target-float-abi=soft\n" in text
