"""GPUs with OpenCL as `clinfo` prints them, whole or a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.identify.devices import MODEL, PrintedGpu, read_gpus
from registry.domain.identify.readings import Reading
from ttag_rules.probe import clinfo
from ttag_rules.probe.facts import Device
from ttag_rules.probe.names import product_name

DEVICE = re.compile(r"^[ ]{1,8}Device Name[ ]{2,80}(?P<name>\S[^\n]{0,160}?)[ \r]*$", re.MULTILINE)
SHORT = re.compile(r"^[ |`+-]{0,8}Device #\d{1,2}: (?P<name>[^\n]{2,100}?)[ \r]*$", re.MULTILINE)
TYPE = re.compile(r"^[ ]{1,8}Device Type[ ]{2,80}(?P<type>\S[^\n]{0,60})$", re.MULTILINE)
VENDORS = {"AMD": "AMD", "NVIDIA": "NVIDIA", "Intel": "Intel", "Intel(R)": "Intel", "Mali": "Arm"}


def read(text: str) -> Iterator[Reading]:
    """Yield each GPU that `clinfo` lists."""
    return read_gpus(_gpus(text))


def _gpus(text: str) -> Iterator[PrintedGpu]:
    limit = text.find(clinfo.TRIALS)
    matches = [*DEVICE.finditer(text, 0, limit if limit >= 0 else len(text))]
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=False):
        places = {MODEL: match.span("name")}
        block = text[match.start() : end]
        devices = clinfo.parse(block) if TYPE.search(block) else [_device(match["name"])]
        for device in devices:
            yield PrintedGpu(device, "clinfo", *match.span(), places)
    for match in SHORT.finditer(text):
        places = {MODEL: match.span("name")}
        yield PrintedGpu(_device(match["name"]), "clinfo -l", *match.span(), places)


def _device(name: str) -> Device:
    """Return a device of which only the name is known."""
    vendor = VENDORS.get(name.split(maxsplit=1)[0].rstrip("-0123456789"), "")
    model = product_name(name)
    return Device("opencl", {"keys": ["opencl", "gpu"]}, vendor, model)
