"""Describes the tag and version of a reference for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ttag.resolution import Resolution
from ttag.responses.tags import TagDetails
from ttag.responses.verdicts import Fault


@dataclass(frozen=True, slots=True)
class Node:
    """One target inside a target: where it stands, its role, and the target."""

    pointer: str
    role: str
    target: dict[str, Any]

    @property
    def kind(self) -> str:
        """The kind; empty for a mixin."""
        return str(self.target.get("kind", ""))


@dataclass(frozen=True, slots=True)
class Description:
    """A tag, the target of the version that a reference selects, and its lints.

    `resolution` is None if all versions are yanked and the reference selects none of them.
    """

    details: TagDetails
    resolution: Resolution | None
    lints: tuple[Fault, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The target and the targets inside it: hosts and devices, outer ones first."""
        if self.resolution is None:
            return ()
        return tuple(_nodes(self.resolution.target, "", "target"))

    def as_json(self) -> dict[str, Any]:
        """Return the tag, its resolution and its lints, for programs."""
        return {
            "tag": asdict(self.details),
            "resolution": self.resolution.as_json() if self.resolution else None,
            "lints": [asdict(lint) for lint in self.lints],
        }

    @property
    def hardware(self) -> dict[str, Any]:
        """The facts about the machine or device; empty if the target states none."""
        facts = self.resolution.target.get("hardware", {}) if self.resolution else {}
        return dict(facts)


def _nodes(target: dict[str, Any], pointer: str, role: str) -> Iterator[Node]:
    yield Node(pointer, role, target)
    if isinstance(host := target.get("host"), dict):
        yield from _nodes(host, f"{pointer}/host", "host")
    devices = target.get("devices", {})
    labeled = enumerate(devices) if isinstance(devices, list) else devices.items()
    for label, device in labeled:
        if isinstance(device, dict):
            yield from _nodes(device, f"{pointer}/devices/{label}", "device")
