"""The processor of a Mac: Apple's chips and Intel's, as `sysctl` states them."""

from __future__ import annotations

from collections.abc import Mapping

from ttag_rules.probe import arm, x86
from ttag_rules.probe.facts import Core, Notes, Processor, number
from ttag_rules.probe.names import product_name
from ttag_rules.probe.outputs import Outputs

SOURCE = "sysctl.txt"


def find_processor(outputs: Outputs, notes: Notes) -> Processor | None:
    """Return the processor, or nothing if `sysctl` does not name one."""
    values = _values(outputs.text(SOURCE))
    brand = values.get("machdep.cpu.brand_string", "")
    if not brand:
        notes.missing("the processor", "sysctl machdep.cpu.brand_string")
        return None
    is_apple = brand.startswith("Apple")
    processor = Processor(
        "arm64-apple-macos" if is_apple else "x86_64-apple-macos",
        arm.identify_apple(brand) if is_apple else _identify_intel(values),
        _first(values, "hw.physicalcpu", "machdep.cpu.core_count"),
        _first(values, "hw.logicalcpu", "machdep.cpu.thread_count"),
        "Apple" if is_apple else "Intel",
        product_name(brand),
        _first(values, "hw.memsize"),
    )
    processor.note(SOURCE, notes)
    _note_unknown(values, processor, notes)
    return processor


def _values(text: str) -> Mapping[str, str]:
    """Return what `sysctl` prints, by name."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.partition(":")
        if separator:
            values.setdefault(name.strip(), value.strip())
    return values


def _identify_intel(values: Mapping[str, str]) -> Core:
    """Return the core of a Mac with an Intel processor. macOS names features in its own way."""
    return x86.identify(
        values.get("machdep.cpu.vendor", ""),
        number(values.get("machdep.cpu.family", "6")),
        number(values.get("machdep.cpu.model", "")),
        frozenset(),
    )


def _first(values: Mapping[str, str], *names: str) -> int:
    return next((count for name in names if (count := number(values.get(name, "")))), 0)


def _note_unknown(values: Mapping[str, str], processor: Processor, notes: Notes) -> None:
    if processor.cores:
        notes.learned(SOURCE, f"num-cores {processor.cores}")
    else:
        notes.missing("num-cores, the number of physical cores", "sysctl hw.physicalcpu")
    if values.get("kern.hv_vmm_present") == "1":
        notes.missing("the real machine: this one is virtual", "probe the machine that hosts it")
    notes.missing("the GPU: sysctl does not state it", "look for the variant :metal of a near tag")
