"""Targets are described from their facts."""

import random
import re
from typing import Any

import pytest
from hypothesis import given

from registry.domain.descriptions.descriptions import CATEGORIES, describe
from registry.domain.descriptions.machines import machine_name
from registry.domain.descriptions.purposes import purpose
from registry.domain.document import Json
from registry.services.core import shipped_facts
from tests.domain.builders import target_of
from tests.domain.shipped import library
from tests.domain.strategies import patches

GIB = 2**30


@pytest.mark.parametrize(
    ("kind", "facts", "text"),
    [
        (
            "llvm",
            {
                "category": "cloud-instance",
                "vendor": "AWS",
                "model": "c8g.4xlarge",
                "family": "EC2 C8g: AWS Graviton4",
                "cores": 16,
                "memory_bytes": 32 * GIB,
            },
            (
                "AWS c8g.4xlarge is a cloud instance (EC2 C8g) with 16 cores of AWS Graviton4 and "
                "32 GiB of memory. This target builds for its CPU, through LLVM."
            ),
        ),
        (
            "cuda",
            {
                "category": "cloud-instance",
                "vendor": "AWS",
                "model": "g6.xlarge",
                "family": "EC2 G6 with NVIDIA L4",
                "accelerators": 1,
            },
            (
                "AWS g6.xlarge is a cloud instance (EC2 G6) with 1 x NVIDIA L4. "
                "This target builds for its GPU, through CUDA."
            ),
        ),
        (
            "llvm",
            {
                "category": "board",
                "vendor": "Firefly",
                "model": "Firefly-RK3399",
                "cores": 6,
                "clusters": "2 x Cortex-A72, 4 x Cortex-A53",
                "memory_options_bytes": [2 * GIB, 4 * GIB],
                "gpu": "Mali-T860",
            },
            (
                "Firefly-RK3399 is a board with 6 cores (2 x Cortex-A72, 4 x Cortex-A53), "
                "2 or 4 GiB of memory and the GPU Mali-T860. "
                "This target builds for its CPU, through LLVM."
            ),
        ),
        (
            "llvm",
            {
                "category": "phone",
                "model": "P",
                "cores": 4,
                "clusters": "4 x Cortex-A53",
                "memory_options_bytes": [GIB // 2, GIB, 2 * GIB],
            },
            (
                "P is a phone with 4 Cortex-A53 cores and 512 MiB, 1 GiB or 2 GiB of memory. "
                "This target builds for its CPU, through LLVM."
            ),
        ),
        (
            "c",
            {
                "category": "microcontroller",
                "model": "M",
                "memory_bytes": 2**15,
                "flash_bytes": 2**20,
            },
            (
                "M is a microcontroller with 32 KiB of RAM and 1 MiB of flash. "
                "This target builds for its CPU, as C source."
            ),
        ),
        (
            "c",
            {
                "category": "microcontroller",
                "model": "M",
                "memory_bytes": 2**15,
                "flash_options_bytes": [2**17, 2**18],
            },
            (
                "M is a microcontroller with 32 KiB of RAM and 128 or 256 KiB of flash. "
                "This target builds for its CPU, as C source."
            ),
        ),
        (
            "llvm",
            {"category": "server-cpu", "model": "X", "family": "Ice Lake (server)"},
            "X is a server CPU (Ice Lake, server). This target builds for it, through LLVM.",
        ),
        (
            "cuda",
            {
                "category": "cloud-instance",
                "vendor": "AWS",
                "model": "p4d.24xlarge",
                "cores": 48,
                "memory_bytes": 1152 * GIB,
                "accelerators": 8,
            },
            (
                "AWS p4d.24xlarge is a cloud instance with 48 cores, 1.125 TiB of memory and 8 "
                "accelerators. This target builds for its GPU, through CUDA."
            ),
        ),
        (
            "rocm",
            {"category": "gpu", "vendor": "AMD", "model": "Instinct MI300X", "compute_units": 304},
            (
                "AMD Instinct MI300X is a GPU with 304 compute units. This target builds for it, "
                "through ROCm."
            ),
        ),
        (
            "c",
            {"category": "microcontroller", "vendor": "ST", "model": "ST X", "memory_bytes": 1536},
            (
                "ST X is a microcontroller with 1.5 KiB of RAM. This target builds for its "
                "CPU, as C source."
            ),
        ),
        (
            "llvm",
            {
                "category": "soc",
                "model": "S1",
                "cores": 4,
                "clusters": "4 x Cortex-A72",
                "family": "4 x Cortex-A72",
            },
            (
                "S1 is a system on a chip with 4 Cortex-A72 cores. This target builds for its CPU, "
                "through LLVM."
            ),
        ),
        (
            "llvm",
            {"category": "soc", "model": "S2", "gpu": "Apple M1 GPU", "npu": "Acme NPU, 6 TOPS"},
            (
                "S2 is a system on a chip with the Apple M1 GPU and the Acme NPU (6 TOPS). "
                "This target builds for its CPU, through LLVM."
            ),
        ),
        (
            "llvm",
            {"category": "soc", "model": "S3", "gpu": "Mali-G610", "npu": "Hexagon v73"},
            (
                "S3 is a system on a chip with the GPU Mali-G610 and the NPU Hexagon v73. "
                "This target builds for its CPU, through LLVM."
            ),
        ),
        (
            "llvm",
            {"category": "server-cpu", "model": "A64FX", "family": "A64FX"},
            "A64FX is a server CPU. This target builds for it, through LLVM.",
        ),
        (
            "ext_dev",
            {"category": "npu", "model": "N1", "cores": 1},
            "N1 is a neural processor with 1 core.",
        ),
        (
            "metal",
            {"category": "laptop", "vendor": "Apple", "model": "M", "launched": "2022-10"},
            "Apple M is a laptop of 2022. This target builds for its GPU, through Metal.",
        ),
        ("llvm", {"category": "phone"}, "A target for CPUs, through LLVM."),
        ("llvm", {"vendor": "AWS", "model": "x"}, "A target for CPUs (AWS x), through LLVM."),
    ],
)
def test_description_follows_the_facts(kind: str, facts: dict[str, Any], text: str) -> None:
    assert describe({"kind": kind, "hardware": facts}) == text


@pytest.mark.parametrize(
    ("options", "facts", "text"),
    [
        (
            {},
            {"category": "cloud-instance", "vendor": "AWS", "family": "EC2 C8g: Graviton4"},
            "AWS EC2 C8g is a family of cloud instances with Graviton4 processors",
        ),
        (
            {},
            {"category": "cloud-instance", "vendor": "Microsoft Azure", "family": "Azure NDv2"},
            "Microsoft Azure NDv2 is a family of cloud instances",
        ),
        (
            {"arch": "sm_86"},
            {
                "category": "cloud-instance",
                "vendor": "AWS",
                "model": "A10G",
                "family": "EC2 G5 with NVIDIA A10G",
            },
            "AWS EC2 G5 is a family of cloud instances with NVIDIA A10G",
        ),
        (
            {"arch": "sm_89"},
            {"category": "gpu", "vendor": "NVIDIA", "family": "Ada Lovelace"},
            "NVIDIA Ada Lovelace is a family of GPUs with compute capability 8.9",
        ),
        (
            {"kind": "rocm", "mcpu": "gfx1031"},
            {"category": "gpu", "vendor": "AMD", "family": "RDNA 2"},
            "AMD RDNA 2 is a family of GPUs with the architecture gfx1031",
        ),
        ({}, {}, "A family of machines"),
    ],
)
def test_family_is_for_choosing(options: Any, facts: Any, text: str) -> None:
    target = {"kind": "cuda", **options, "hardware": facts}
    sentence = f"{text}; choose one of them to build for."
    assert describe(target, is_family=True) == sentence
    assert describe(target, is_family=True, variants=["a10g", "big"]) == (
        f"{sentence} Variants: :a10g, :big."
    )


@pytest.mark.parametrize(
    ("vendor", "model", "name"),
    [
        ("NVIDIA", "NVIDIA A100", "NVIDIA A100"),
        ("Microsoft Azure", "Azure Dv3", "Microsoft Azure Dv3"),
        ("eInfochips", "Einfochips Thor96", "Einfochips Thor96"),
        ("Firefly", "Firefly-RK3399", "Firefly-RK3399"),
        ("ST", "STM32L072", "ST STM32L072"),
        ("Orange Pi", "Orange Pi 5", "Orange Pi 5"),
        ("Pine64", "Pinebook Pro", "Pine64 Pinebook Pro"),
        ("", "M1", "M1"),
        ("Seeed Studio", "SeeedStudio LoRa-E5 mini", "SeeedStudio LoRa-E5 mini"),
        ("Seeed Studio", "Seeeduino XIAO", "Seeed Studio Seeeduino XIAO"),  # another word
        ("BeagleBoard.org", "BeagleBoard BeagleV-Fire", "BeagleBoard BeagleV-Fire"),
        ("BeagleBoard.org", "BeaglePlay", "BeagleBoard.org BeaglePlay"),
        ("Raspberry Pi", "Pi 400", "Raspberry Pi 400"),
        ("Ampere", "AmpereOne", "Ampere AmpereOne"),
    ],
)
def test_brand_stands_once(vendor: str, model: str, name: str) -> None:
    assert machine_name({"vendor": vendor, "model": model}) == name


PHONE = {"category": "phone", "vendor": "Acme", "model": "One", "cores": 8}


@pytest.mark.parametrize(
    ("target", "machine", "text"),
    [
        (
            {"kind": "vulkan", "hardware": {"category": "phone", "model": "One"}},
            PHONE,
            "Acme One is a phone with 8 cores. This target builds for its GPU, through Vulkan.",
        ),
        (
            {"kind": "opencl"},
            PHONE,
            "Acme One is a phone with 8 cores. This target builds for its GPU, through OpenCL.",
        ),
        (
            {"kind": "metal", "hardware": {"category": "gpu", "model": "M5 GPU"}},
            {"category": "desktop-cpu", "vendor": "Apple", "model": "M5", "cores": 10},
            (
                "Apple M5 is a desktop CPU with 10 cores. This target builds for its GPU, through "
                "Metal."
            ),
        ),
        (
            {"kind": "llvm", "hardware": {"category": "desktop-cpu", "model": "M5"}},
            {"category": "desktop-cpu", "model": "M5"},
            "M5 is a desktop CPU. This target builds for it, through LLVM.",
        ),
        ({"kind": "vulkan", "hardware": PHONE}, {"model": "of no category"}, None),
        ({"kind": "vulkan", "hardware": PHONE}, {"category": "phone"}, None),
        ({}, PHONE, ""),
    ],
)
def test_variant_is_a_part_of_its_machine(
    target: Json, machine: dict[str, Any], text: str | None
) -> None:
    assert describe(target, machine=machine) == (describe(target) if text is None else text)


def test_one_cluster_of_a_chip_is_some_of_its_cores() -> None:
    chip: Any = {"category": "soc", "model": "S", "cores": 8, "clusters": "4 x Big, 4 x Little"}
    target = {"kind": "llvm", "mcpu": "cortex-a76", "num-cores": 4, "hardware": chip}
    assert describe(target) == (
        "S is a system on a chip with 8 cores (4 x Big, 4 x Little). This target builds for 4 of "
        "its cores (cortex-a76), through LLVM."
    )
    assert "builds for its CPU" in describe(target | {"num-cores": 8})


def test_known_variants_are_explained() -> None:
    target: Any = {"kind": "ext_dev", "hardware": {"category": "soc", "model": "S"}}
    assert describe(target, variants=["npu", "big", "odd"]) == (
        "S is a system on a chip. Variants: :npu for its neural processor, "
        ":big for its larger cores."
    )


@pytest.mark.parametrize(
    ("category", "part"), [("gpu", "it"), ("phone", "its GPU"), ("soc", "its GPU")]
)
def test_a_gpu_has_no_gpu_of_its_own(category: str, part: str) -> None:
    target: Any = {"kind": "ext_dev", "hardware": {"category": category, "model": "S"}}
    sentence = describe(target, variants=["vulkan"]).partition(". ")[2]
    assert sentence == f"Variants: :vulkan for {part} through Vulkan."


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (
            {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a57"},
            "A target for AArch64 Linux CPUs (cortex-a57), through LLVM.",
        ),
        (
            {"kind": "cuda", "arch": "sm_103a"},
            "A target for GPUs of compute capability 10.3, through CUDA.",
        ),
        ({"kind": "rocm", "mcpu": "gfx942"}, "A target for GPUs (gfx942), through ROCm."),
        ({"kind": "ext_dev"}, "A target of the kind ext_dev."),
        (
            {
                "kind": "composite",
                "devices": [{"kind": "c"}, {"kind": "c"}, {"kind": "cuda", "arch": "sm_53"}],
            },
            "A target for 3 devices: 2 x c and cuda sm_53.",
        ),
        (
            {"executor": {"kind": "aot"}, "runtime": {"kind": "crt"}},
            "A patch for other targets, which sets executor and runtime.",
        ),
        ({"hardware": None}, ""),
        ({}, ""),
        (None, ""),
        ([], ""),
    ],
)
def test_targets_without_facts_are_described_by_their_options(target: Any, text: str) -> None:
    assert describe(target) == text


def test_graphics_card_states_its_compute_capability() -> None:
    facts: Any = {"category": "gpu", "vendor": "NVIDIA", "model": "X", "compute_units": 1}
    assert describe({"kind": "cuda", "arch": "sm_89", "hardware": facts}) == (
        "NVIDIA X is a GPU with 1 compute unit and compute capability 8.9. "
        "This target builds for it (sm_89), through CUDA."
    )


@given(patches())
def test_every_patch_is_described(body: Json) -> None:
    target = target_of(body)
    assert isinstance(describe(target), str)
    assert isinstance(purpose(target), str)


def test_every_category_has_nouns() -> None:
    schema = shipped_facts.kinds()["hardware"]["properties"]["category"]
    assert list(CATEGORIES) == schema["enum"]


def test_every_tag_of_the_catalogue_says_what_it_is_and_when_to_use_it() -> None:
    families = {tag.name for tag in shipped_facts.every_tag() if tag.is_family}
    silent = []
    for tag, versions in library().versions.items():
        target: Any = versions[-1].resolution.target
        is_family = tag in families
        if not describe(target, is_family=is_family) or not purpose(target, is_family=is_family):
            silent.append(tag)
    assert silent == []


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (
            {
                "kind": "cuda",
                "hardware": {"category": "board"},
                "host": {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a57"},
                "executor": {"kind": "graph"},
            },
            (
                "you compile for its GPU through CUDA, its host runs AArch64 Linux (cortex-a57) "
                "and the executor is graph"
            ),
        ),
        (
            {
                "kind": "llvm",
                "mtriple": "x86_64-linux-gnu",
                "hardware": {"category": "server-cpu"},
            },
            "you compile for this CPU (x86-64 Linux) through LLVM",
        ),
        ({"kind": "c"}, "you compile for a CPU as C source"),
        ({"kind": "ext_dev"}, "you compile for a device of the kind ext_dev"),
        (
            {"kind": "composite", "devices": [{"kind": "c"}, {"kind": "cuda"}]},
            "you compile one program for its 2 devices together",
        ),
        ({"executor": {"kind": "aot"}}, "your own target needs the same executor: inherit it"),
    ],
)
def test_purpose_follows_from_the_options(target: Any, text: str) -> None:
    assert purpose(target) == f"Use it when {text}."


def test_purpose_of_a_family_is_a_machine_without_a_tag() -> None:
    assert purpose({"kind": "cuda"}, is_family=True) == (
        "Use it when your machine belongs to it and has no tag of its own."
    )


def shipped_descriptions(number: int) -> list[tuple[str, Any, str]]:
    """Return some tags of the catalogue, drawn at random but alike each time, as described."""
    families = {tag.name for tag in shipped_facts.every_tag() if tag.is_family}
    tags = random.Random(31).sample(sorted(library().versions), number)  # noqa: S311 - alike each time
    targets: dict[str, Any] = {tag: library().versions[tag][-1].resolution.target for tag in tags}
    return [
        (tag, target, describe(target, is_family=tag in families))
        for tag, target in targets.items()
    ]


def test_no_word_or_brand_of_the_catalogue_stands_twice() -> None:
    doubled = re.compile(r"\b([a-z][\w-]*) \1\b", re.IGNORECASE)
    for tag, target, text in shipped_descriptions(400):
        assert not doubled.search(text), (tag, text)
        vendor = target.get("hardware", {}).get("vendor", "")
        name = text.partition(" is a")[0]
        assert name.lower().split().count(vendor.lower()) <= 1, (tag, text)
        assert not re.search(r"  | ,|\(\(|\)\)|\(\)", text), (tag, text)


def test_numbers_of_the_catalogue_are_those_of_the_facts() -> None:
    clusters = re.compile(r"([0-9]+) x (?!NVIDIA|AMD|Intel)")
    for tag, target, text in shipped_descriptions(400):
        facts = target.get("hardware", {})
        if match := re.search(r"with ([0-9,]+) (?:\S+ )?cores?\b", text):
            assert int(match[1].replace(",", "")) == facts["cores"], (tag, text)
        if counts := clusters.findall(text.partition(" (")[2]):
            assert sum(map(int, counts)) == facts["cores"], (tag, text)
