"""Targets are described from their facts."""

from typing import Any

import pytest

from registry.domain.descriptions import CATEGORIES, describe
from registry.services.core import shipped_facts
from tests.domain.shipped import library

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
                "family": "Graviton4",
                "cores": 16,
                "memory_bytes": 32 * GIB,
            },
            (
                "AWS c8g.4xlarge is a cloud instance (Graviton4) with 16 cores and 32 GiB of "
                "memory. This target builds for its CPU, through LLVM."
            ),
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
                "ST X is a microcontroller with 1.5 KiB of memory. This target builds for its "
                "CPU, as C source."
            ),
        ),
        (
            "ext_dev",
            {"category": "npu", "model": "N1", "cores": 1},
            "N1 is a neural processor with 1 core.",
        ),
        ("llvm", {"category": "phone"}, ""),
        ("llvm", {"vendor": "AWS", "model": "x"}, ""),
    ],
)
def test_description_follows_the_facts(kind: str, facts: dict[str, Any], text: str) -> None:
    assert describe({"kind": kind, "hardware": facts}) == text


def test_family_is_for_choosing() -> None:
    facts: Any = {"category": "cloud-instance", "vendor": "AWS", "family": "Graviton4"}
    assert describe({"kind": "llvm", "hardware": facts}, is_family=True) == (
        "What cloud instances of AWS Graviton4 share; choose one of them to build for."
    )


def test_known_variants_are_explained() -> None:
    target: Any = {"kind": "ext_dev", "hardware": {"category": "soc", "model": "S"}}
    assert describe(target, variants=["npu", "big", "odd"]) == (
        "S is a system on a chip. Variants: :npu for its neural processor, "
        ":big for its larger cores."
    )


@pytest.mark.parametrize("target", [{}, {"kind": "llvm"}, {"hardware": None}, None, []])
def test_nothing_is_said_without_facts(target: Any) -> None:
    assert describe(target) == ""


def test_every_category_has_nouns() -> None:
    schema = shipped_facts.kinds()["hardware"]["properties"]["category"]
    assert list(CATEGORIES) == schema["enum"]


def test_tags_of_the_catalogue_with_a_category_have_a_description() -> None:
    families = {tag.name for tag in shipped_facts.every_tag() if tag.is_family}
    silent = []
    for tag, versions in library().versions.items():
        target: Any = versions[-1].resolution.target
        if target.get("hardware", {}).get("category") and not describe(
            target, is_family=tag in families
        ):
            silent.append(tag)
    assert silent == []
