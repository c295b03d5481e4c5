"""Reading pasted texts: what they state, where, and nothing that they do not."""

import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.identify.identifying import REST, Identification, identify
from registry.domain.identify.readers import nvidia
from registry.domain.identify.readings import Reading
from tests.domain.builders import KINDS
from tests.domain.identify import outputs
from ttag_rules.pointer import look_up

READ: dict[str, tuple[str, dict[str, Any]]] = {
    "lscpu": (
        outputs.LSCPU,
        {
            "/kind": "llvm",
            "/mcpu": "znver3",
            "/num-cores": 16,
            "/hardware/model": "AMD Ryzen 9 5950X",
            "/hardware/l3_cache_bytes": 64 << 20,
        },
    ),
    "lscpu --json": (outputs.LSCPU_JSON, {"/mtriple": "aarch64-unknown-linux-gnu"}),
    "cpuinfo of Intel": (outputs.CPUINFO_X86, {"/mcpu": "sapphirerapids"}),
    "cpuinfo of Arm": (outputs.CPUINFO_ARM, {"/mcpu": "neoverse-n1"}),
    "nvidia-smi": (
        outputs.SMI_TABLE,
        {
            "/kind": "cuda",
            "/hardware/model": "GeForce RTX 3070",
            "/hardware/memory_bytes": 8 << 30,
            "/hardware/accelerators": 2,
        },
    ),
    "nvidia-smi -q": (outputs.SMI_QUERY, {"/hardware/memory_bytes": 24 << 30}),
    "nvidia-smi -x": (outputs.SMI_XML, {"/hardware/model": "L40"}),
    "nvidia-smi CSV": (outputs.SMI_CSV, {"/arch": "sm_89", "/thread_warp_size": 32}),
    "rocminfo": (outputs.ROCMINFO, {"/kind": "rocm", "/mcpu": "gfx1100"}),
    "rocm-smi": (outputs.ROCM_SMI, {"/hardware/model": "Instinct MI210"}),
    "clinfo": (outputs.CLINFO, {"/kind": "opencl", "/device": "intel_graphics"}),
    "vulkaninfo": (
        outputs.VULKANINFO,
        {"/kind": "vulkan", "/hardware/model": "AMD Radeon RX 6800"},
    ),
    "sysctl": (outputs.SYSCTL, {"/mcpu": "apple-a15", "/num-cores": 12}),
    "system_profiler": (outputs.PROFILER, {"/mtriple": "arm64-apple-macos"}),
    "system_profiler of Intel": (outputs.PROFILER_INTEL, {"/mtriple": "x86_64-apple-macos"}),
    "getprop": (outputs.GETPROP, {"/mtriple": "aarch64-linux-android"}),
    "PyTorch": (outputs.TORCH, {"/arch": "sm_75", "/hardware/model": "Tesla T4"}),
    "llama.cpp": (outputs.LLAMA, {"/arch": "sm_86"}),
    "deviceQuery": (outputs.DEVICE_QUERY, {"/arch": "sm_70"}),
    "a GPU too new": (outputs.UNSUPPORTED, {"/arch": "sm_120"}),
    "rocBLAS": (outputs.ROCBLAS, {"/mcpu": "gfx1036"}),
    "Vulkan in a log": (outputs.VULKAN_LOG, {"/kind": "vulkan"}),
    "Metal in a log": (outputs.METAL_LOG, {"/kind": "metal", "/hardware/model": "M1 Max"}),
    "TVM in quotes": (outputs.TVM_LINE, {"/mcpu": "skylake-avx512"}),
    "TVM in a program": (outputs.TVM_OBJECT, {"/arch": "sm_86"}),
    "IREE": (outputs.IREE_FLAGS, {"/mcpu": "znver4"}),
}
NAMED = {
    outputs.CPUINFO_BOARD: "Raspberry Pi 4 Model B",
    outputs.CPUINFO_ARM: "SDM845",
    outputs.GETPROP: "gs101",
    outputs.NEOFETCH: "AMD Ryzen 7 7840HS",
    outputs.TUNED: "NVIDIA H100 80GB HBM3",
    outputs.INSTANCE: "c5.9xlarge",
    outputs.SMI_TABLE: "NVIDIA GeForce RTX 3070 8GB",
    outputs.PROFILER: "Mac14,2",
}
NOTHING = [
    "It was the best of times, it was the worst of times.\n" * 9,
    "GPU 0: idle\nGPU 1: busy\n",
    "Model: a good example\nRevision: 2\n",
    "CPU usage: 12 %\nMemory: 3 GiB\n",
    "The library supports sm_37, sm_50 and sm_60; gfx906 needs another build.\n",
    "requests==2.31.0\nnumpy>=1.26\ntorch==2.4.1+cu121\n",
    "$ ls\n$ make -j8\n$ ./configure --prefix=/usr\n",
    'name, price\n"a", 3\n',
    '{"kind": "revision", "number": 3}',
    '{"kind": ["before", "after"]}',
    '{"kind": {"cuda": 3}, "tag": ["a"]}',
    "|   0  Chair                     On |  12 |\n",
    "Device 0: not found\n",
    "Name: somebody\nDevice Type: phone\n",
    "deviceName = my phone\n",
    "Architecture: gothic\nStyle: late\n",
    "march=native mcpu=native",
    'target = "c -o main.o"',
    "vendor: Intel\nprice: 300\n",
    "ro.build.date=Mon\n",
    "product_name: NVIDIA\n",
    "llvmpipe (LLVM 15.0.7, 256 bits)\n",
    "Created Vulkan device: llvmpipe (LLVM 15)\n",
    "日本語のテキスト、機械の名前はありません。\n",
    "\\x00\\x01 \u00e9\u00e8 \u2603\n",
    "Target('') and target.cuda() and Target(x)\n",
    "--iree-flag --iree",
    "#hal.executable.target<>",
]


def answer(text: str) -> Identification:
    return identify(text, KINDS)


def only(text: str) -> Reading:
    (reading,) = answer(text).readings
    return reading


@pytest.mark.parametrize("form", READ)
def test_values_are_read(form: str) -> None:
    text, values = READ[form]
    body = only(text).body
    assert {pointer: look_up(body, pointer) for pointer in values} == values


SLICED = [
    "GPU 0: NVIDIA L4 (UUID: GPU-0)\n  MIG 1g.10gb     Device  0: (UUID: MIG-0)\n",
    f"{outputs.SMI_TABLE}| MIG devices:                                        |\n",
    (
        "    Product Name                          : NVIDIA A30\n    MIG Mode\n"
        "        Current                           : Enabled\n"
    ),
    outputs.SMI_XML.replace("<fb", "<mig_mode><current_mig>Enabled</current_mig></mig_mode><fb", 1),
    "name, compute_cap, mig.mode.current\nNVIDIA A30, 8.0, Enabled\n",
]
WHOLE = [
    outputs.SMI_LIST,
    outputs.SMI_TABLE,
    outputs.SMI_QUERY,
    outputs.SMI_XML,
    (
        "    Product Name                          : NVIDIA A30\n    MIG Mode\n"
        "        Current                           : Disabled\n"
        "        Pending                           : Enabled\n"
    ),
    "name, compute_cap, mig.mode.current\nNVIDIA A30, 8.0, Disabled\n",
    f"{outputs.SMI_LIST}MIG 1g.10gb is a profile\n",
]


@pytest.mark.parametrize("text", SLICED + WHOLE)
def test_gpu_in_slices_has_a_note(text: str) -> None:
    readings = [*nvidia.read(text)]
    assert readings
    are_noted = {any("MIG is on" in note for note in reading.notes) for reading in readings}
    assert are_noted == {text in SLICED}


@pytest.mark.parametrize("form", READ)
def test_every_value_has_a_place_in_the_text(form: str) -> None:
    text, _ = READ[form]
    reading = only(text)
    for fact in reading.facts:
        look_up(reading.body, fact.pointer)
        assert 0 <= fact.start < fact.end <= len(text)


@pytest.mark.parametrize(("text", "name"), NAMED.items())
def test_a_machine_has_the_names_that_the_text_gives_it(text: str, name: str) -> None:
    assert any(name in reading.names for reading in answer(text).readings)


@pytest.mark.parametrize("text", NOTHING)
def test_a_text_without_a_machine_has_no_reading(text: str) -> None:
    assert answer(text).readings == ()


def test_several_machines_are_several_readings() -> None:
    text = outputs.LSCPU + outputs.SMI_LIST
    assert [reading.names[-1] for reading in answer(text).readings] == [
        "AMD Ryzen 9 5950X",
        "NVIDIA L4",
        "NVIDIA A2",
    ]


def test_a_stated_name_stands_where_its_fact_says() -> None:
    reading = only(outputs.LSCPU)
    (fact,) = (fact for fact in reading.facts if fact.pointer == "/hardware/model")
    assert "Ryzen 9 5950X" in outputs.LSCPU[fact.start : fact.end]
    assert fact.stated == "text"


def test_what_follows_from_numbers_is_inferred() -> None:
    (fact,) = (fact for fact in only(outputs.CPUINFO_ARM).facts if fact.pointer == "/mcpu")
    assert (outputs.CPUINFO_ARM[fact.start : fact.end], fact.stated) == ("0xd0c", "inferred")


def test_a_target_in_a_call_is_one_reading() -> None:
    text = 'x = 1\ntarget = tvm.target.Target("llvm -mcpu=haswell")\n'
    assert only(text).body == {"kind": "llvm", "mcpu": "haswell"}


@pytest.mark.parametrize("text", [outputs.UNSUPPORTED, outputs.ROCBLAS])
def test_what_a_library_supports_is_ignored_with_a_reason(text: str) -> None:
    (ignored, *_) = answer(text).ignored
    assert "what a library was built for" in ignored.reason
    assert text[ignored.start : ignored.end].startswith(ignored.text)


def test_the_gpu_of_a_processor_is_another_reading() -> None:
    assert [reading.names for reading in answer(outputs.NEOFETCH).readings] == [
        ("AMD Ryzen 7 7840HS",),
        ("AMD Radeon 780M",),
    ]


def test_a_part_of_cpuinfo_does_not_count_cores() -> None:
    assert "num-cores" not in only(outputs.CPUINFO_ARM).body


@given(st.text(max_size=400))
def test_any_text_is_answered(text: str) -> None:
    answer(text)


@given(st.lists(st.sampled_from([*NAMED, *NOTHING]), max_size=4), st.randoms())
def test_any_mixture_is_answered_with_places_in_it(texts: list[str], random: Any) -> None:
    lines = "\n".join(texts).splitlines()
    random.shuffle(lines)
    text = "\n".join(lines)
    for reading in answer(text).readings:
        assert all(0 <= fact.start <= fact.end <= len(text) for fact in reading.facts)


REPEATED = ["GPU 0: NVIDIA A100\n", "processor : 0\nvendor_id : x\nmodel name : y\n", "{", '"a": ']


@pytest.mark.parametrize("text", REPEATED)
def test_a_long_text_takes_little_time(text: str) -> None:
    started = time.process_time()
    answer(text * (300_000 // len(text)))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("count", "is_said"), [(16, False), (17, True)])
def test_machines_that_are_left_out_are_said_to_be(count: int, is_said: bool) -> None:
    text = "\n".join(
        f"GPU {number}: NVIDIA Example {9000 + number} (UUID: GPU-{number})"
        for number in range(count)
    )
    found = answer(text)
    assert len(found.readings) == 16
    assert [part.reason for part in found.ignored] == [REST] * is_said
    assert all("9016" in text[part.start : part.end] for part in found.ignored)
