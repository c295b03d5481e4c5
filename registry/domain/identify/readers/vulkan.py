"""GPUs as programs list them for Vulkan and Metal: `vulkaninfo`, llama.cpp, games and engines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from registry.domain.identify.devices import MODEL, PrintedGpu, read_gpus
from registry.domain.identify.fields import Field, blocks, read_fields
from registry.domain.identify.readings import Reading
from ttag_rules.probe import vulkaninfo
from ttag_rules.probe.facts import Device
from ttag_rules.probe.names import product_name

PROPERTY_NAMES = frozenset(
    {
        *("apiversion", "driverversion", "vendorid", "deviceid", "devicetype", "devicename"),
        *("driverid", "drivername", "driverinfo", "conformanceversion"),
    }
)
NAME = r"(?P<name>[^\n|_]{2,100}?)"
LISTED: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "a Vulkan device",
        "vulkan",
        re.compile(
            r"(?:(?:Created|Using|Selected) Vulkan device|ggml_vulkan: \d+ [=:])"
            rf":? {NAME}(?: _\(| \| |[ \t\r]*$)",
            re.MULTILINE,
        ),
    ),
    (
        "a Metal device",
        "metal",
        re.compile(
            r"(?:ggml_metal_init: (?:found device|GPU name)|^[ \t]{0,8}GPU name"
            r"|Metal device(?: name)?):[ \t]{1,8}(?P<name>Apple M\d\w?(?: (?:Pro|Max|Ultra))?)\b",
            re.MULTILINE,
        ),
    ),
)
SOFTWARE = re.compile(r"llvmpipe|SwiftShader|lavapipe|softpipe", re.IGNORECASE)
VENDORS = {"AMD": "AMD", "Radeon": "AMD", "NVIDIA": "NVIDIA", "GeForce": "NVIDIA", "Intel": "Intel"}
UNITS = re.compile(r"GPU core count:[ \t]{0,8}(?P<units>\d{1,3})\b")


def read(text: str) -> Iterator[Reading]:
    """Yield each GPU; what renders on the processor is left out."""
    yield from read_gpus(_properties(read_fields(text)) if "deviceName" in text else ())
    yield from read_gpus(_listed(text))


def _begins_properties(field: Field, names: Collection[str]) -> bool:
    return field.name.lower() in names


def _properties(fields: Sequence[Field]) -> Iterator[PrintedGpu]:
    for block in blocks(fields, PROPERTY_NAMES, _begins_properties):
        lines = "".join(f"\t{field.name} = {field.value}\n" for field in block.fields)
        for device in vulkaninfo.parse(f"GPU0:\n{lines}"):
            field = block.find("devicename")
            places = {MODEL: (field.start, field.end)} if field else {}
            yield PrintedGpu(device, "vulkaninfo", block.start, block.end, places)


def _listed(text: str) -> Iterator[PrintedGpu]:
    for form, kind, pattern in LISTED:
        for match in pattern.finditer(text):
            name = product_name(match["name"].strip())
            if SOFTWARE.search(name) or not name:
                continue
            vendor = VENDORS.get(name.split()[0], "Apple" if kind == "metal" else "")
            device = Device(kind, {"keys": [kind, "gpu"]}, vendor, name.removeprefix(f"{vendor} "))
            yield PrintedGpu(device, form, *match.span(), {MODEL: match.span("name")})
