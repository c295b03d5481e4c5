"""GPUs of AMD as `rocminfo`, `rocm-smi` and libraries of ROCm print them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from registry.domain.identify.devices import MEMORY, MODEL, PrintedGpu, read_gpus, supported_gpus
from registry.domain.identify.fields import Block, Field, blocks, read_fields, read_members
from registry.domain.identify.readings import Reading
from ttag_rules.probe import rocminfo
from ttag_rules.probe.facts import Device, number

AGENT_NAMES = frozenset(
    {
        *("name", "marketing name", "vendor name", "device type", "compute unit", "uuid"),
        *("wavefront size", "workgroup max size", "l2", "segment", "size"),
    }
)
CARD_NAMES = frozenset(
    {
        *("gpu id", "card series", "card model", "card vendor", "gfx version"),
        *("vram total memory (b)", "device name", "market_name", "target_graphics_version"),
    }
)
WORDS = ("Device Type", "ard series", "ard Series", "MARKET_NAME", "market_name", "GPU ID")
SERIES = ("card series", "market_name", "device name")
# rocBLAS error: Cannot read ...: Illegal seek for GPU arch : gfx1201
MISSING = re.compile(
    r"(?:for GPU arch|No kernel image for|Unsupported GPU(?: arch(?:itecture)?)?)[ :]{1,4}"
    r"(?P<mcpu>gfx[0-9a-f]{3,5})\b"
)
LIBRARY_FILES = re.compile(
    r"(?:List of available TensileLibrary Files[^\n]{0,20}"
    r"|^\"?/[^\n]{0,200}gfx[0-9a-f]{3,5}[^\n]{0,40})",
    re.MULTILINE,
)


def read(text: str) -> Iterator[Reading]:
    """Yield each GPU of AMD, and the lists of architectures that a library was built for."""
    is_printed = any(word in text for word in WORDS)
    fields = read_fields(text) if is_printed else []
    members = read_members(text) if is_printed and '"' in text else []
    cards = chain(_cards(members), _cards(fields) if not members else ())
    yield from read_gpus(chain(_agents(fields, text), cards, _errors(text)))
    if MISSING.search(text):
        yield from map(supported_gpus, LIBRARY_FILES.finditer(text))


def _begins_agent(field: Field, names: Collection[str]) -> bool:
    return field.name == "Name" and "name" in names


def _agents(fields: Sequence[Field], text: str) -> Iterator[PrintedGpu]:
    for block in blocks(fields, AGENT_NAMES, _begins_agent):
        if "device type" not in block.names:
            continue
        for device in rocminfo.parse(f"Agent 1\n{text[block.start : block.end]}\n"):
            places = _places(block, {MODEL: "marketing name", "/mcpu": "name"})
            places |= _places(block, {"/hardware/compute_units": "compute unit"})
            yield PrintedGpu(device, "rocminfo", block.start, block.end, places)


def _begins_card(field: Field, names: Collection[str]) -> bool:
    return field.name.lower() in names and field.name.lower() in ("gpu id", *SERIES)


def _cards(fields: Sequence[Field]) -> Iterator[PrintedGpu]:
    for block in blocks(fields, CARD_NAMES, _begins_card):
        field = block.find(*SERIES)
        if not field or not {"gpu id", "card series", "market_name"} & block.names:
            continue
        series = _series(field.value.strip())
        mcpu = block.value("gfx version", "target_graphics_version")
        options: dict[str, object] = {"keys": ["rocm", "gpu"]} | ({"mcpu": mcpu} if mcpu else {})
        memory = number(block.value("vram total memory (b)"))
        device = Device("rocm", options, "AMD", series, memory_bytes=memory)
        places = _places(
            block,
            {MODEL: field.name.lower(), MEMORY: "vram total memory (b)", "/mcpu": "gfx version"},
        )
        yield PrintedGpu(device, "rocm-smi", block.start, block.end, places)


def _series(name: str) -> str:
    """Return a name as AMD writes it now: `Radeon Instinct MI50` is an `Instinct MI50`."""
    return name.removeprefix("AMD ").replace("Radeon Instinct", "Instinct")


def _places(block: Block, names: dict[str, str]) -> dict[str, tuple[int, int]]:
    fields = {pointer: block.find(name) for pointer, name in names.items()}
    return {pointer: (field.start, field.end) for pointer, field in fields.items() if field}


def _errors(text: str) -> Iterator[PrintedGpu]:
    for match in MISSING.finditer(text):
        device = Device("rocm", {"keys": ["rocm", "gpu"], "mcpu": match["mcpu"]}, "AMD")
        places = {"/mcpu": match.span("mcpu")}
        yield PrintedGpu(device, "an error of a library of ROCm", *match.span(), places)
