"""Says in which case a target is the right one to use, from its own data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from registry.domain.descriptions.architecture_names import (
    platform_name,
    processor_name,
    text_option,
)
from registry.domain.descriptions.descriptions import BACK_ENDS, PROCESSORS
from registry.domain.descriptions.machines import join
from registry.domain.document import Json
from ttag_rules.nodes import COMPOSITES, devices

MAX_OPTIONS = 4


def purpose(target: Json, *, is_family: bool = False) -> str:
    """Return a sentence that begins with `Use it when`; empty for no target."""
    root: dict[str, Any] = target if isinstance(target, dict) else {}
    cases = list(_cases(root, is_family=is_family))
    return f"Use it when {join(cases)}." if cases else ""


def _cases(root: Mapping[str, Any], *, is_family: bool) -> Iterator[str]:
    kind = text_option(root, "kind")
    if is_family:
        yield "your machine belongs to it and has no tag of its own"
    elif not kind:
        options = [option for option in root if option != "hardware"]
        if options:
            yield f"your own target needs the same {join(options[:MAX_OPTIONS])}: inherit it"
        return
    elif kind in COMPOSITES:
        count = sum(1 for _ in devices(root.get("devices"), ""))
        word = "device" if count == 1 else f"{count} devices together"
        yield f"you compile one program for its {word}"
    elif kind in BACK_ENDS:
        part, means = BACK_ENDS[kind]
        yield f"you compile for {_part(root, part)} {means}"
    else:
        yield f"you compile for a device of the kind {kind}"
    yield from _surroundings(root)


def _part(root: Mapping[str, Any], part: str) -> str:
    """Return the part of a machine that the code runs on, and the platform of its code."""
    hardware = root.get("hardware")
    category = text_option(hardware, "category") if isinstance(hardware, dict) else ""
    platform = platform_name(text_option(root, "mtriple"))
    where = f" ({platform})" if platform and root.get("kind") == "llvm" else ""
    article = "its" if category else "a"
    return f"{part.replace('its', 'this' if category in PROCESSORS else article)}{where}"


def _surroundings(root: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cases that follow from host, executor and runtime."""
    host = root.get("host")
    if isinstance(host, dict):
        name = platform_name(text_option(host, "mtriple")) or text_option(host, "kind")
        processor = f" ({text})" if (text := processor_name(host)) else ""
        yield f"its host runs {name}{processor}"
    for part in ("executor", "runtime"):
        value = root.get(part)
        if isinstance(value, dict) and (name := text_option(value, "kind")):
            yield f"the {part} is {name}"
