"""GPUs of NVIDIA as `nvidia-smi` prints them: its table, `-L`, `-q`, XML and CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from registry.domain.identify.devices import MEMORY, MODEL, PrintedGpu, read_gpus
from registry.domain.identify.readings import Reading
from ttag_rules.probe import nvidia_smi

# |   0  NVIDIA H100 80GB HBM3          On  |   00000000:08:00.0  On |
TABLE = re.compile(
    r"^\|[ ]{1,4}\d{1,3}[ ]{1,4}(?P<name>[A-Z][\w() /.+-]{2,60}?)[ ]{1,40}"
    r"(?:On|Off|N/A|TCC|WDDM|MCDM)[ ]{1,8}\|[ ]{1,6}[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:",
    re.MULTILINE,
)
# |  0%   41C    P8             13W /  450W |     427MiB /  24564MiB |
MEMORY_LINE = re.compile(r"/[ ]{0,6}(?P<mib>\d{3,7})MiB[ ]{0,6}\|")
LISTED = re.compile(
    r"^[ \t]{0,8}GPU \d{1,3}: "
    r"(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|GRID|TITAN|[ABHLTV]\d{1,3}\b)[^\n(]{0,80}?)"
    r"(?: \(UUID: [^\n)]{0,80}\))?[ \t\r]*$",
    re.MULTILINE,
)
QUERIED = re.compile(
    r"^[ \t]{1,12}Product Name[ \t]{1,60}: (?P<name>[^\n]{2,80}?)[ \t\r]*$"
    r"|<product_name>(?P<xml>[^<\n]{2,80})</product_name>",
    re.MULTILINE,
)
TOTAL = re.compile(
    r"FB Memory Usage\s{1,80}Total[ \t]{1,60}: (?P<mib>\d{3,7}) MiB"
    r"|<fb_memory_usage>\s{0,80}<total>(?P<xml>\d{3,7}) MiB"
)
HEADER = re.compile(
    r"^(?=[^\n]{0,400}(?:memory\.|compute_cap|driver_version|uuid|pstate|utilization\.|power\.|pci\.))"
    r"(?:[\w.]{1,60}(?: \[\w+\])?, ){0,40}name(?:, [\w.]{1,60}(?: \[\w+\])?){1,40}[ \t\r]*$",
    re.MULTILINE,
)
MAX_DISTANCE = 6000  # characters between the name of a GPU and its memory, in `nvidia-smi -q`
MAX_ROWS = 64  # of CSV
MIB = 1024 * 1024


def read(text: str) -> Iterator[Reading]:
    """Yield each GPU that an output of `nvidia-smi` lists."""
    what, remedy = nvidia_smi.SLICED
    notes = (f"{what} ({remedy})",) if nvidia_smi.has_slices(text) else ()
    for reading in read_gpus(chain(_csv(text), _table(text), _listed(text), _queried(text))):
        yield replace(reading, notes=notes)


def _gpu(
    form: str, match: re.Match[str], group: str, memory: tuple[re.Match[str] | None, str]
) -> PrintedGpu:
    """Return the GPU named by a group of a match, with its memory in MiB if that is printed."""
    places, mib, end = {MODEL: match.span(group)}, 0, match.end()
    memory_match, memory_group = memory
    if memory_match:
        places[MEMORY] = memory_match.span(memory_group)
        mib, end = int(memory_match[memory_group]), max(end, memory_match.end())
    device = nvidia_smi.gpu(match[group], "", mib * MIB)
    return PrintedGpu(device, form, match.start(), end, places)


def _table(text: str) -> Iterator[PrintedGpu]:
    for match in TABLE.finditer(text):
        line = text.find("\n", match.end())
        memory = MEMORY_LINE.search(text, line, line + 200) if line > 0 else None
        yield _gpu("nvidia-smi", match, "name", (memory, "mib"))


def _listed(text: str) -> Iterator[PrintedGpu]:
    for match in LISTED.finditer(text):
        yield _gpu("nvidia-smi -L", match, "name", (None, ""))


def _queried(text: str) -> Iterator[PrintedGpu]:
    matches = [*QUERIED.finditer(text)]
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=False):
        memory = TOTAL.search(text, match.end(), min(match.end() + MAX_DISTANCE, end))
        memory_group = "mib" if memory and memory["mib"] else "xml"
        name_group = "name" if match["name"] else "xml"
        yield _gpu("nvidia-smi -q", match, name_group, (memory, memory_group))


def _csv(text: str) -> Iterator[PrintedGpu]:
    at = 0
    for header in islice(HEADER.finditer(text), MAX_ROWS):
        if header.start() < at:
            continue  # another of equal lines
        at = header.end() + 1
        for row in text[at : at + 100 * MAX_ROWS].split("\n")[:MAX_ROWS]:
            devices = nvidia_smi.parse(f"{header[0].strip()}\n{row.strip()}")
            if not devices or not row.strip():
                break
            (device,) = devices
            begin = at + row.find(device.model)
            places = {MODEL: (begin, begin + len(device.model))}
            for pointer, pattern in ((MEMORY, r"\d+ MiB"), ("/arch", r"\b\d{1,2}\.\d\b")):
                if match := re.search(pattern, row):
                    places[pointer] = (at + match.start(), at + match.end())
            yield PrintedGpu(device, "nvidia-smi --query-gpu", at, at + len(row), places)
            at += len(row) + 1
