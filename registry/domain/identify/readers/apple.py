"""Macs as `sysctl` and `system_profiler` print them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from registry.domain.identify.fields import Block, Field, blocks, read_fields
from registry.domain.identify.places import Evidence, facts_of_block
from registry.domain.identify.readings import Reading, Recognised
from ttag_rules.probe import macos
from ttag_rules.probe.body import describe
from ttag_rules.probe.outputs import Outputs

BRAND = "machdep.cpu.brand_string"
PROFILE_NAMES = frozenset(
    {
        *("model name", "model identifier", "processor name", "processor speed", "chip", "memory"),
        *("number of processors", "total number of cores", "model number"),
    }
)
EVIDENCE: Evidence = {
    **dict.fromkeys(
        ("/hardware/model", "/hardware/vendor", "/mcpu", "/mtriple", "/keys"),
        (BRAND, "chip", "processor name"),
    ),
    **dict.fromkeys(
        ("/num-cores", "/hardware/cores"), ("machdep.cpu.core_count", "hw.physicalcpu")
    ),
    "/hardware/threads": ("machdep.cpu.thread_count", "hw.logicalcpu"),
    "/hardware/memory_bytes": ("hw.memsize", "memory"),
}


def read(text: str) -> Iterator[Reading]:
    """Yield the processor of each Mac."""
    if BRAND not in text and "Model Identifier" not in text:
        return
    fields = read_fields(text)
    yield from _sysctl(fields)
    for block in blocks(fields, PROFILE_NAMES, _begins_profile):
        if {"model identifier"} & block.names and {"chip", "processor name"} & block.names:
            yield _profile(block)


def _sysctl(fields: list[Field]) -> Iterator[Reading]:
    known = [field for field in fields if field.name.startswith(("hw.", "machdep.cpu."))]
    names = {field.name.lower() for field in known}
    for block in blocks(
        known, names, lambda field, before: field.name == BRAND and BRAND in before
    ):
        if description := describe(Outputs({macos.SOURCE: block.lines})):
            body = description.body
            brand = block.value(BRAND)
            form = Recognised("sysctl", block.start, block.end)
            yield Reading(body, facts_of_block(body, block, EVIDENCE), (), (form,), (brand,))


def _begins_profile(field: Field, names: Collection[str]) -> bool:
    return field.name == "Model Name" and "model name" in names


def _profile(block: Block) -> Reading:
    """Return a Mac of `system_profiler`; that of Intel says too little to name a processor."""
    chip = block.value("chip")
    form = Recognised("system_profiler", block.start, block.end)
    if chip.startswith("Apple"):
        description = describe(Outputs({macos.SOURCE: f"{BRAND}: {chip}\n"}))
        body = dict(description.body) if description else {}
        notes: tuple[str, ...] = ()
    else:
        body = {"kind": "llvm", "keys": ["x86", "cpu"], "mtriple": "x86_64-apple-macos"}
        notes = ("the processor: system_profiler states its line, not its generation",)
    names = (block.value("model identifier"), chip)
    return Reading(
        body, facts_of_block(body, block, EVIDENCE), notes, (form,), tuple(filter(None, names))
    )
