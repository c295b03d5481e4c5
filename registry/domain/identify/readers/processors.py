"""Processors as Linux prints them: `lscpu`, as text or JSON, and `/proc/cpuinfo`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from registry.domain.identify.fields import Block, Field, blocks, read_fields
from registry.domain.identify.places import Evidence, facts_of_block
from registry.domain.identify.readings import Reading, Recognised
from ttag_rules.probe.body import Description, describe
from ttag_rules.probe.names import board_name, product_name
from ttag_rules.probe.outputs import Outputs

LSCPU_NAMES = frozenset(
    {
        *("architecture", "byte order", "cpu(s)", "on-line cpu(s) list", "vendor id", "model name"),
        *("cpu family", "model", "thread(s) per core", "core(s) per socket", "socket(s)", "flags"),
        *("core(s) per cluster", "cpu op-mode(s)", "address sizes", "stepping", "bogomips"),
        *("l1d cache", "l1i cache", "l2 cache", "l3 cache", "hypervisor vendor", "numa node(s)"),
        *("machine type", "socket(s) per book", "book(s) per drawer", "drawer(s)", "cpu max mhz"),
        "cluster(s)",
    }
)
LSCPU_WORDS = ("Architecture", "Vendor ID", "CPU(s)", "Core(s)")  # one stands in each `lscpu`
CPUINFO_WORDS = ("CPU part", "vendor_id", "model name", "uarch", "clock", "Serial")
MIN_LSCPU = 3  # fields; fewer stand in prose
CPUINFO_NAMES = frozenset(
    {
        *("processor", "vendor_id", "cpu family", "model", "model name", "stepping", "cpu cores"),
        *("siblings", "physical id", "flags", "features", "cpu implementer", "cpu architecture"),
        *("cpu variant", "cpu part", "cpu revision", "hardware", "revision", "isa", "uarch"),
        *("marchid", "cpu", "machine", "bogomips", "clock", "core id", "serial", "microcode"),
        *("cpu mhz", "cache size"),
    }
)
GUESSES = frozenset({"generic", "generic-rv64", "x86-64"})  # where no number and no flag is there
# A block of `/proc/cpuinfo` has the fields of one of these.
CPUINFO_SIGNS = (
    frozenset({"cpu implementer", "cpu part"}),
    frozenset({"vendor_id", "model name"}),
    frozenset({"vendor_id", "cpu family"}),
    frozenset({"isa", "uarch"}),
    frozenset({"cpu", "revision", "clock"}),
    frozenset({"processor", "model name"}),
    frozenset({"revision", "serial", "model"}),
)
LSCPU_EVIDENCE: Evidence = {
    "/mtriple": ("architecture",),
    "/keys": ("architecture",),
    "/mcpu": ("model", "machine type", "model name"),
    "/mattr": ("flags",),
    "/num-cores": ("core(s) per socket", "core(s) per cluster"),
    "/hardware/model": ("model name",),
    "/hardware/vendor": ("vendor id",),
    "/hardware/cores": ("core(s) per socket",),
    "/hardware/threads": ("cpu(s)",),
    "/hardware/l2_cache_bytes": ("l2 cache",),
    "/hardware/l3_cache_bytes": ("l3 cache",),
}
CPUINFO_EVIDENCE: Evidence = {
    "/mtriple": ("cpu architecture", "flags", "features", "isa", "cpu"),
    "/mcpu": ("cpu part", "uarch", "machine", "cpu", "model", "model name"),
    "/mattr": ("flags", "features", "isa"),
    "/mabi": ("isa",),
    "/num-cores": ("cpu cores", "processor"),
    "/hardware/model": ("model name",),
    "/hardware/vendor": ("vendor_id", "cpu implementer"),
    "/hardware/cores": ("cpu cores", "processor"),
    "/hardware/threads": ("siblings", "processor"),
}
CHIP = re.compile(r"\b(?:BCM|MSM|SM|SDM|APQ|MT|RK|Exynos|exynos|kirin)[0-9]{3,5}\w{0,4}")


def read_lscpu(text: str) -> Iterator[Reading]:
    """Yield the processor of each `lscpu` in a text."""
    if any(word in text for word in LSCPU_WORDS):
        fields = read_fields(text)
        yield from filter(None, map(_lscpu, blocks(fields, LSCPU_NAMES, _begins_lscpu)))


def read_cpuinfo(text: str) -> Iterator[Reading]:
    """Yield the processor of each `/proc/cpuinfo` in a text."""
    if not any(word in text for word in CPUINFO_WORDS):
        return
    for block in blocks(read_fields(text), CPUINFO_NAMES, _begins_cpuinfo):
        if reading := _cpuinfo(block, text):
            yield reading


def _begins_lscpu(field: Field, names: Collection[str]) -> bool:
    return field.name == "Architecture" and "architecture" in names


def _begins_cpuinfo(field: Field, names: Collection[str]) -> bool:
    """Return whether the numbers of processors begin again, as in the file of another machine."""
    return field.name == "processor" and field.value == "0" and "processor" in names


def _lscpu(block: Block) -> Reading | None:
    is_lscpu = {"architecture", "cpu(s)", "vendor id", "core(s) per socket"} & block.names
    if not is_lscpu or len(block.names) < MIN_LSCPU:
        return None
    description = describe(Outputs({"lscpu.txt": block.lines}))
    if description is None:
        return None
    body = description.body
    if "flags" not in block.names and body.get("mcpu") in GUESSES:
        body = {name: value for name, value in body.items() if name != "mcpu"}
    form = Recognised("lscpu", block.start, block.end)
    facts = facts_of_block(body, block, LSCPU_EVIDENCE)
    return Reading(body, facts, _notes(description), (form,), _names(block))


def _cpuinfo(block: Block, text: str) -> Reading | None:
    if not any(sign <= block.names for sign in CPUINFO_SIGNS):
        return None
    form = Recognised("/proc/cpuinfo", block.start, block.end)
    description = describe(Outputs({"cpuinfo.txt": text[block.start : block.end]}))
    body = description.body if description else {}
    if "cpu cores" not in block.names:
        body = _without_counts(body)
    facts = facts_of_block(body, block, CPUINFO_EVIDENCE)
    return Reading(body, facts, _notes(description), (form,), _names(block))


def _notes(description: Description | None) -> tuple[str, ...]:
    unknown = description.unknown if description else ()
    return tuple(f"{each.what} ({each.remedy})" for each in unknown)


def _without_counts(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body without numbers of cores: a part of the file lists a part of the cores."""
    hardware = body.get("hardware", {})
    rest = {key: value for key, value in hardware.items() if key not in ("cores", "threads")}
    kept = {**body, "hardware": rest}
    return {name: value for name, value in kept.items() if name != "num-cores" and value != {}}


def _names(block: Block) -> tuple[str, ...]:
    """Return the names of the board, the chip and the processor, the most specific first."""
    names = [
        board_name(field.value.strip())
        for field in block.fields
        if field.name == "Model" and not field.value.strip().isdecimal()
    ]
    names += CHIP.findall(block.value("hardware"))
    names.append(product_name(block.value("model name")))
    return tuple(dict.fromkeys(filter(None, names)))
