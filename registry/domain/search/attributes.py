"""The searchable attributes of a target: its values by pointer, parts of triples, and facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from registry.domain.document import Json, canonical
from ttag_rules.nodes import APPEND, COMPOSITES
from ttag_rules.pointer import ROOT, child, natural_key, split_pointer
from ttag_rules.triples import Triple

MAX_ATTRIBUTES = 2000  # of one target, nearest to the root first; real ones have up to 200
HARDWARE = "hardware"
DEVICES = "devices"
TRIPLE = "mtriple"
COMPILES, COMPILES_POINTER = "compiles", "/compiles"  # not a value, but found like one
LAUNCHED, YEAR = "launched", "year"
LAUNCH = re.compile(r"([0-9]{4})(?:-[0-9]{2})?")

# Kinds whose code runs only on the hardware of one vendor.
VENDOR_OF_KIND: Mapping[str, str] = {
    "cuda": "NVIDIA",
    "hexagon": "Qualcomm",
    "metal": "Apple",
    "nvptx": "NVIDIA",
    "rocm": "AMD",
}


class IndexedValue(NamedTuple):  # made and hashed in a third of a dataclass's time
    """A scalar value, or an item of a list, which has the list's pointer.

    `name` is the option: the last token of the pointer (for appended items, that of the list).
    `number` is None if the value is not a number.
    """

    pointer: str
    name: str
    text: str
    number: float | None


def attributes(target: Json) -> tuple[IndexedValue, ...]:
    """Return the values of a resolved target or a mixin, nearest to the root first."""
    values: set[IndexedValue] = set()
    _collect(target, ROOT, "", values)
    return _nearest(values)


def searchable_attributes(values: Collection[IndexedValue]) -> tuple[IndexedValue, ...]:
    """Return a target's values plus the parts of its triples and launch dates, for search.

    The system of the triple at `/host/mtriple` gets the pointer `/host/mtriple/os`, and the year in
    `/hardware/launched` the pointer `/hardware/launched/year`; the values there are strings.
    """
    triples = (value for value in values if value.name == TRIPLE)
    parts = (part for triple in triples for part in _triple_parts(triple))
    years = (year for value in values if (year := launch_year(value)))
    return _nearest({*values, *parts, *years})


def compiler_attributes(compilers: Iterable[str]) -> Iterator[IndexedValue]:
    """Yield the attributes by which a search finds what compilers build."""
    for compiler in compilers:
        yield IndexedValue(COMPILES_POINTER, COMPILES, compiler, None)


def launch_year(value: IndexedValue) -> IndexedValue | None:
    """Return the year of a launch date, with a pointer below the date's; None for other values."""
    match = LAUNCH.fullmatch(value.text) if value.name == LAUNCHED else None
    if not match or not is_hardware(value.pointer):
        return None
    return IndexedValue(child(value.pointer, YEAR), YEAR, match[1], float(match[1]))


# Decision 034: people search for a libc or a system, which only a triple states.
def _triple_parts(value: IndexedValue) -> Iterator[IndexedValue]:
    """Yield the parts of a triple; an architecture in LLVM's spelling and in the triple's own."""
    triple = Triple.parse(value.text)
    for name, text in (
        ("arch", triple.arch),
        ("arch", triple.processor),
        ("vendor", triple.vendor),
        ("os", triple.os),
        ("libc", triple.libc),
        ("abi", triple.abi),
    ):
        if text:
            yield IndexedValue(child(value.pointer, name), name, text, None)


def _nearest(values: Collection[IndexedValue]) -> tuple[IndexedValue, ...]:
    nearest = sorted(values, key=lambda value: (_place(value.pointer), value.text))
    return tuple(nearest[:MAX_ATTRIBUTES])


@lru_cache(maxsize=1024)  # most pointers occur in many targets
def _place(pointer: str) -> tuple[int, str]:
    return pointer.count("/"), natural_key(pointer)


def _collect(value: Json, pointer: str, name: str, values: set[IndexedValue]) -> None:
    """Add the values inside a value; `name` is the option that it belongs to."""
    if isinstance(value, dict):
        for key, item in value.items():
            _collect(item, child(pointer, key), name if key == APPEND else key, values)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                _collect(item, child(pointer, index), str(index), values)
            else:
                _collect(item, pointer, name, values)
    elif value is not None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        number = float(value) if is_number else None
        values.add(IndexedValue(pointer, name, scalar_text(value), number))


def option_name(pointer: str) -> str:
    """Return the name of the option at a pointer. Raises `PointerUnknown` if it is malformed."""
    names = [token for token in split_pointer(pointer) if token != APPEND]
    return names[-1] if names else ""


def scalar_text(value: Json) -> str:
    """Return a scalar as text: a string as it is, anything else as canonical JSON."""
    return value if isinstance(value, str) else canonical(value).decode()


@lru_cache(maxsize=1024)  # most pointers occur in many targets
def is_hardware(pointer: str) -> bool:
    """Return whether a pointer is inside `hardware`, which holds facts for people."""
    if HARDWARE not in pointer:
        return False
    remaining = iter(split_pointer(pointer))
    for token in remaining:
        if token == HARDWARE:
            return True
        if token == DEVICES:
            next(remaining, None)  # skip the label, which could be "hardware"
    return False


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a target that lists and facets show; unknown ones are empty.

    `arch` is the architecture that the root's code is compiled for: `sm_90`, `gfx942`, `x86_64`.
    """

    kind: str
    vendor: str
    arch: str
    family: str


def target_facts(target: Json) -> Facts:
    """Return the facts of a resolved target or a mixin."""
    root: dict[str, Any] = target if isinstance(target, dict) else {}
    hardware = root.get(HARDWARE)
    hardware_facts: dict[str, Any] = hardware if isinstance(hardware, dict) else {}
    kind = _text(root, "kind")
    vendor = _text(hardware_facts, "vendor") or VENDOR_OF_KIND.get(kind, "")
    return Facts(kind, vendor, _arch(root, kind), _text(hardware_facts, "family"))


def _arch(root: Mapping[str, Any], kind: str) -> str:
    """Return a GPU's own architecture name, otherwise that of the triple in LLVM's spelling."""
    if kind in COMPOSITES:
        return ""
    for option in ("arch", "mcpu"):
        if _text(root, option).startswith(("sm_", "gfx", "hexagonv")):
            return _text(root, option)
    return Triple.parse(_text(root, TRIPLE)).arch or _text(root, "arch")


def _text(node: Mapping[str, Any], option: str) -> str:
    """Return an option's text; empty if it is missing or a mixin removes it."""
    value = node.get(option)
    return value if isinstance(value, str) else ""
