"""A summary of a target in one line, for people who look for the right one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.domain.document import Json
from registry.web.core.units import humanize
from ttag_rules.compatibility.feature_names import first_names
from ttag_rules.nodes import COMPOSITES, Node, devices, nodes

MAX_DEVICES = 4
SIGNIFICANT_OPTIONS = ("arch", "mcpu", "codegen", "model", "mtriple")  # by significance


def summary(target: Json) -> str:
    """Return a target's machine, kind, devices, host and runtime in one line."""
    root = next(iter(nodes(target)), Node("", {}))
    return " · ".join(_parts(root))


def _parts(root: Node) -> Iterator[str]:
    value = root.value
    if machine := _machine(value.get("hardware") or {}):
        yield machine
    if not root.kind:
        yield "mixin: a patch for other targets"
    elif root.kind in COMPOSITES:
        yield f"{_brief(value)} of {_devices(value)}"
    else:
        yield _brief(value)
    if cores := value.get("num-cores"):
        yield humanize(cores, "cores")
    if host := value.get("host"):
        yield f"host {_brief(host)}"
    for part in ("executor", "runtime"):
        if word := (value.get(part) or {}).get("kind"):
            yield f"{part} {word}"


def _machine(hardware: dict[str, Any]) -> str:
    vendor, model = hardware.get("vendor", ""), hardware.get("model", "")
    return model if model.startswith(vendor) else f"{vendor} {model}".strip()


def _brief(value: Any) -> str:
    """Return the kind with its most significant option."""
    if not isinstance(value, dict):
        return str(value)
    option = next((str(value[name]) for name in SIGNIFICANT_OPTIONS if value.get(name)), "")
    return f"{value.get('kind') or 'a patch'} {option}".strip()


def _devices(value: dict[str, Any]) -> str:
    inside = [
        f"{place.rpartition('/')[2]} ({_brief(device)})"
        for place, device in devices(value.get("devices"), "")
    ]
    return first_names(inside, MAX_DEVICES)
