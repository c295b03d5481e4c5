"""GPUs and neural processors of chips, and of the machines with these chips."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from catalogue_tools.devices.bodies import Body
from catalogue_tools.devices.chips import PAGES, Chip
from catalogue_tools.facts import Row, rows_by, url_of
from catalogue_tools.hardware import MIB, Statement, hardware
from registry.domain.document import Json

NPUS = "executorch/hexagon_socs"
GPU_VARIANTS = ("opencl", "vulkan")
UNITS = re.compile(r"(.+?)s? M[PC](\d+)")


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A GPU or NPU: the tag that it inherits from, what it is, and what a chip's one adds."""

    tag: str
    name: str
    options: Mapping[str, Json]
    facts: Mapping[str, Json]
    url: str


def accelerators(chip: Chip) -> dict[str, Accelerator]:
    """Return a chip's accelerators by variant; a selected part has the GPU of its chip."""
    page = rows_by(PAGES, "tag").get(chip.parent or chip.tag, {})
    gpus = {variant: _gpu(page, variant) for variant in GPU_VARIANTS if "gpu_tag" in page}
    row = rows_by(NPUS, "tag").get(chip.tag)
    return gpus | ({"npu": _npu(row)} if row else {})


def chip_accelerator(chip: Chip, variant: str) -> Body:
    """Return the body of a chip's accelerator, whose host is the chip's CPU."""
    own = accelerators(chip)[variant]
    name = Statement({"vendor": chip.vendor, "model": chip.model}, chip.urls)
    host = f"{chip.tag}@1"
    if chip.parent:
        return {"tag": f"{chip.parent}:{variant}@1", "host": host, "hardware": hardware(name)}
    facts = {"family": own.name, "category": "soc", **own.facts}
    stated = hardware(name, Statement(facts, [own.url]))
    return {"tag": f"{own.tag}@1", **own.options, "host": host, "hardware": stated}


def accelerator_message(chip: Chip, variant: str) -> str:
    """Return what a variant is, as "Adreno 640 through OpenCL"."""
    name = accelerators(chip)[variant].name
    interface = {"opencl": "through OpenCL", "vulkan": "through Vulkan"}.get(variant, "")
    return f"{name} {interface}".strip()


def _gpu(page: Row, variant: str) -> Accelerator:
    tag = page["gpu_tag"] if variant == "opencl" else f"{page['gpu_tag']}:{variant}"
    units = UNITS.fullmatch(page["gpu"])
    facts: dict[str, Json] = {"compute_units": int(units[2])} if units else {}
    url = url_of(PAGES, path=f"_data/devices/{page['file']}")
    return Accelerator(tag, units[1] if units else page["gpu"], {}, facts, url)


def _npu(row: Row) -> Accelerator:
    version = row["hexagon"].removeprefix("hexagon")
    options: dict[str, Json] = {"vtcm-capacity": row["vtcm_mib"] * MIB}
    url = url_of(NPUS)
    return Accelerator(f"qcom/hexagon-{version}", f"Hexagon {version}", options, {}, url)
