"""GPUs and neural processors of chips, and of the machines with these chips."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from catalogue_tools.devices.bodies import Body
from catalogue_tools.devices.chips import PAGES, Chip, page_url
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

    def message(self, variant: str) -> str:
        """Return what a variant is, as "Adreno 640 through OpenCL"."""
        interface = {"opencl": "through OpenCL", "vulkan": "through Vulkan"}.get(variant, "")
        return f"{self.name} {interface}".strip()


def accelerators(chip: Chip) -> dict[str, Accelerator]:
    """Return a chip's accelerators by variant; a selected part has the GPU of its chip."""
    page = rows_by(PAGES, "tag").get(chip.parent or chip.tag, {})
    gpus = {variant: _gpu(page, variant) for variant in GPU_VARIANTS if "gpu_tag" in page}
    row = rows_by(NPUS, "tag").get(chip.tag)
    return gpus | ({"npu": _npu(row)} if row else {})


def chip_accelerator(chip: Chip, variant: str) -> Body:
    """Return the body of a chip's accelerator, whose host is the chip's CPU."""
    if chip.parent:
        name = Statement({"vendor": chip.vendor, "model": chip.model}, chip.urls)
        tag, host = f"{chip.parent}:{variant}@1", f"{chip.tag}@1"
        return {"tag": tag, "host": host, "hardware": hardware(name)}
    return accelerator_body(chip, accelerators(chip)[variant])


def accelerator_body(chip: Chip, own: Accelerator) -> Body:
    """Return the body of an accelerator that a chip has itself."""
    name = Statement({"vendor": chip.vendor, "model": chip.model}, chip.urls)
    facts = {"family": own.name, "category": "soc", **own.facts}
    stated = hardware(name, Statement(facts, [own.url]))
    return {"tag": f"{own.tag}@1", **own.options, "host": f"{chip.tag}@1", "hardware": stated}


def variant_tag(gpu: str, variant: str) -> str:
    """Return the tag of a GPU for OpenCL, which is the bare one, or for Vulkan."""
    return gpu if variant == "opencl" else f"{gpu}:{variant}"


def _gpu(page: Row, variant: str) -> Accelerator:
    tag = variant_tag(page["gpu_tag"], variant)
    units = UNITS.fullmatch(page["gpu"])
    facts: dict[str, Json] = {"compute_units": int(units[2])} if units else {}
    return Accelerator(tag, units[1] if units else page["gpu"], {}, facts, page_url(page))


def _npu(row: Row) -> Accelerator:
    version = row["hexagon"].removeprefix("hexagon")
    options: dict[str, Json] = {"vtcm-capacity": row["vtcm_mib"] * MIB}
    url = url_of(NPUS)
    return Accelerator(f"qcom/hexagon-{version}", f"Hexagon {version}", options, {}, url)
