"""What can be searched for in a target: every value by its pointer, parts of triples, facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.domain.composition import APPEND, COMPOSITES
from registry.domain.document import Json, canonical
from registry.domain.pointer import ROOT, child, natural, tokens
from registry.domain.toolchains.triples import Triple

MAX_ATTRIBUTES = 2000  # of one target, those nearest to the root; the largest real one has 60
HARDWARE = "hardware"
DEVICES = "devices"
TRIPLE = "mtriple"

# Kinds whose code runs on the hardware of one vendor, whatever the facts about it say.
VENDOR_OF_KIND: Mapping[str, str] = {
    "cuda": "NVIDIA",
    "hexagon": "Qualcomm",
    "metal": "Apple",
    "nvptx": "NVIDIA",
    "rocm": "AMD",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A scalar, or an item of a list, which stands under the list's pointer.

    `name` is that of the option: the pointer's last token, of what an edit appends the list's.
    `number` is None where the value is no number.
    """

    pointer: str
    name: str
    text: str
    number: float | None


def attributes(target: Json) -> tuple[Attribute, ...]:
    """What a resolved target or a mixin says, the values nearest to the root first."""
    return _nearest(set(_walk(target, ROOT)))


def searchable(values: Collection[Attribute]) -> tuple[Attribute, ...]:
    """What conditions find a target by: its values, and the parts of triples below them.

    The system of `/host/mtriple` stands at `/host/mtriple/os`, though the target has a text there.
    """
    parts = (part for value in values if value.name == TRIPLE for part in _parts(value))
    return _nearest({*values, *parts})


def _parts(value: Attribute) -> Iterator[Attribute]:
    """What a triple says. An architecture is found by LLVM's name and by the triple's own."""
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
            yield Attribute(child(value.pointer, name), name, text, None)


def _nearest(found: Collection[Attribute]) -> tuple[Attribute, ...]:
    return tuple(islice(sorted(found, key=_nearest_first), MAX_ATTRIBUTES))


def _nearest_first(attribute: Attribute) -> tuple[Any, ...]:
    depth = attribute.pointer.count("/")
    return depth, natural(attribute.pointer), attribute.text


def _walk(value: Json, pointer: str) -> Iterator[Attribute]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _walk(part, child(pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            is_part = isinstance(item, dict | list)
            yield from _walk(item, child(pointer, index) if is_part else pointer)
    elif value is not None:
        yield Attribute(pointer, name_of(pointer), text_of(value), number_of(value))


def name_of(pointer: str) -> str:
    """The option's name at a pointer. Raises `PointerUnknown` where it is malformed."""
    names = [token for token in tokens(pointer) if token != APPEND]
    return names[-1] if names else ""


def text_of(value: Json) -> str:
    """A scalar as text: itself, or its canonical JSON."""
    return value if isinstance(value, str) else canonical(value).decode()


def number_of(value: Json) -> float | None:
    """A number as one; None for what is none, true and false among it."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_hardware(pointer: str) -> bool:
    """Whether a pointer leads into facts for people, which no compiler reads."""
    ahead = iter(tokens(pointer))
    for token in ahead:
        if token == HARDWARE:
            return True
        if token == DEVICES:
            next(ahead, None)  # a label: any word
    return False


@dataclass(frozen=True, slots=True)
class Facts:
    """What lists and facets show of a target; a text is empty where it does not say.

    `arch` is the architecture that the root's code is for: `sm_90`, `gfx942`, `x86_64`.
    """

    kind: str
    vendor: str
    arch: str
    family: str


def facts(target: Json) -> Facts:
    """Read them off a resolved target or a mixin."""
    root: dict[str, Any] = target if isinstance(target, dict) else {}
    hardware = root.get(HARDWARE)
    about: dict[str, Any] = hardware if isinstance(hardware, dict) else {}
    kind = _text(root, "kind")
    vendor = _text(about, "vendor") or VENDOR_OF_KIND.get(kind, "")
    return Facts(kind, vendor, _arch(root, kind), _text(about, "family"))


def _arch(root: Mapping[str, Any], kind: str) -> str:
    """A GPU's own name for it, else that of the triple in LLVM's spelling."""
    if kind in COMPOSITES:
        return ""
    for option in ("arch", "mcpu"):
        if _text(root, option).startswith(("sm_", "gfx", "hexagonv")):
            return _text(root, option)
    return Triple.parse(_text(root, TRIPLE)).arch or _text(root, "arch")


def _text(node: Mapping[str, Any], option: str) -> str:
    """An option's text; empty where a mixin takes it away, or has none."""
    value = node.get(option)
    return value if isinstance(value, str) else ""
