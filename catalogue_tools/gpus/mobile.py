"""GPUs of phones: Qualcomm's Adreno, Arm's Mali and Immortalis.

A bare name is for OpenCL, the variant `:vulkan` for Vulkan: `qcom/adreno-640`,
`arm/mali-g610:vulkan`. Adreno inherits from TVM's own tags, Mali from its generation.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.gpus.bodies import KIB, inheriting
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

ADRENO, MALI = "mesa/adreno", "libgpuinfo/mali"
SYSTEMS = {"opencl": "", "vulkan": ":vulkan"}  # variants by kind


def tags() -> Iterator[GeneratedTag]:
    """Yield each GPU for OpenCL and for Vulkan, and the generations of Mali."""
    mali, adreno = read_table(MALI).rows, read_table(ADRENO).rows
    generations = sorted({row["architecture"] for row in mali})
    for kind in SYSTEMS:
        yield from (generation(name, kind) for name in generations)
        yield from (_mali(row, kind) for row in mali)
        yield from (_adreno(row, kind) for row in adreno)


def generation(name: str, kind: str) -> GeneratedTag:
    """Return the tag of a generation of Mali GPUs."""
    source = read_table(MALI).url()
    body: dict[str, Json] = {
        "kind": kind,
        "keys": ["mali", kind, "gpu"],
        "device": "mali",
        "hardware": root_hardware(
            Statement({"category": "gpu", "vendor": "Arm", "family": name}, [source])
        ),
    }
    return GeneratedTag(
        _generation_tag(name, kind),
        "arm/mali",
        body,
        f"What all Mali GPUs of the generation {name} share",
        (source,),
        is_family=True,
    )


def _generation_tag(name: str, kind: str) -> str:
    return f"arm/mali-{slug(name).removeprefix('arm-')}{SYSTEMS[kind]}"


def _mali(row: Row, kind: str) -> GeneratedTag:
    source, name = read_table(MALI).url(), row["name"]
    return GeneratedTag(
        f"arm/{slug(name)}{SYSTEMS[kind]}",
        "arm/mali",
        inheriting(
            _generation_tag(row["architecture"], kind), Statement({"model": name}, [source])
        ),
        f"{name}: {row['architecture']}",
        (source,),
    )


def _adreno(row: Row, kind: str) -> GeneratedTag:
    source, name = read_table(ADRENO).url(), row["name"]
    facts: dict[str, Json] = {
        "category": "gpu",
        "vendor": "Qualcomm",
        "model": name,
        "family": f"Adreno {row['generation'].removeprefix('a')}",
    }
    body = inheriting(f"qcom/adreno-{kind}", Statement(facts, [source]))
    body["max_shared_memory_per_block"] = row["shared_kib"] * KIB
    return GeneratedTag(
        f"qcom/{slug(name)}{SYSTEMS[kind]}",
        "qcom/adreno",
        body,
        f"{name} with {row['shared_kib']} KiB of local memory",
        (source,),
    )
