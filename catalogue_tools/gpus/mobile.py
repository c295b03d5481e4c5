"""GPUs of phones: Qualcomm's Adreno, Arm's Mali and Immortalis.

A bare name is for OpenCL, the variant `:vulkan` for Vulkan: `qcom/adreno-640`,
`arm/mali-g610:vulkan`. Adreno inherits from TVM's own tags, Mali from its generation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.gpus.limits import limits
from catalogue_tools.hardware import KIB, Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, described_tag
from registry.domain.document import Json
from registry.domain.toolchains.iree_devices import VULKAN_PRODUCTS

ADRENO, MALI = "mesa/adreno", "libgpuinfo/mali"
SYSTEMS = {"opencl": "", "vulkan": ":vulkan"}  # variants by kind
DEVICE = "mali"


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield each GPU for OpenCL and for Vulkan, and the generations of Mali."""
    mali, adreno = read_table(MALI).rows, read_table(ADRENO).rows
    generations = sorted({row["architecture"] for row in mali})
    for kind in SYSTEMS:
        yield from (_generation(name, kind) for name in generations)
        for row in mali:
            yield from _limited(_mali(row, kind), kind, row["name"])
        for row in adreno:
            yield from _limited(_adreno(row, kind), kind, row["name"])


def _limited(tag: GeneratedTag, kind: str, gpu: str) -> Iterator[GeneratedTag | Disagreement]:
    """Yield the tag of a GPU with its limits, and the limits in which drivers differ."""
    known = limits(kind, gpu)
    body, sources = {**tag.body, **known.options}, (*tag.sources, *known.urls)
    yield replace(tag, body=body, sources=sources)
    yield from known.disagreements(tag.name)


def _generation(name: str, kind: str) -> GeneratedTag:
    facts = {"category": "gpu", "vendor": "Arm", "family": name}
    body: dict[str, Json] = {"kind": kind, "keys": [DEVICE, kind, "gpu"], "device": DEVICE}
    message = f"What all Mali GPUs of the generation {name} share"
    tag, stated = _generation_tag(name, kind), Statement(facts, [url_of(MALI)])
    return described_tag(tag, "arm/mali", body, message, stated, is_family=True)


def _generation_tag(name: str, kind: str) -> str:
    return f"arm/mali-{slug(name).removeprefix('arm-')}{SYSTEMS[kind]}"


def _mali(row: Row, kind: str) -> GeneratedTag:
    name, generation = row["name"], row["architecture"]
    body: dict[str, Json] = {"tag": f"{_generation_tag(generation, kind)}@1"}
    if kind == "vulkan" and slug(name) in VULKAN_PRODUCTS[DEVICE]:
        body["model"] = slug(name)  # IREE compiles for the product, not for the family
    return described_tag(
        f"arm/{slug(name)}{SYSTEMS[kind]}",
        "arm/mali",
        body,
        f"{name}: {generation}",
        Statement({"model": name}, [url_of(MALI)]),
    )


def _adreno(row: Row, kind: str) -> GeneratedTag:
    name, shared = row["name"], row["shared_kib"]
    facts = {
        "category": "gpu",
        "vendor": "Qualcomm",
        "model": name,
        "family": f"Adreno {row['generation'].removeprefix('a')}",
    }
    body = {
        "tag": f"qcom/adreno-{kind}@1",
        "hardware": None,
        "max_shared_memory_per_block": shared * KIB,
    }
    return described_tag(
        f"qcom/{slug(name)}{SYSTEMS[kind]}",
        "qcom/adreno",
        body,
        f"{name} with {shared} KiB of local memory",
        Statement(facts, [url_of(ADRENO)]),
    )
