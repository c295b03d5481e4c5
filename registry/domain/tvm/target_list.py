"""Build a composite from several targets, as given to TVM's driver for command lines.

An external code generator becomes a byoc around the last ordinary target, which does what the
generator leaves over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from registry.domain.document import Json, is_same_json
from registry.domain.errors import echo
from registry.domain.kinds.kinds import FLOW
from registry.domain.tvm.moved_options import PARTS
from ttag_rules.nodes import HOST

CPU_KINDS = frozenset({"llvm", "c"})
ENABLE_BYOC = "enable-byoc"


@dataclass(frozen=True, slots=True)
class CodeGenerator:
    """An external code generator in a list of targets, with the settings that configure it."""

    name: str
    settings: Mapping[str, Json] = field(default_factory=dict)


Entry = CodeGenerator | str | Mapping[str, Any]  # of ordinary targets, a reference or a body


def find_host(entries: Sequence[Entry]) -> int | None:
    """Return the index of the target that is also the host: the only CPU. None if there is none."""
    cpus = [
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, Mapping) and entry.get("kind") in CPU_KINDS
    ]
    return cpus[0] if len(cpus) == 1 else None


def composite_of(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the composite of targets, with at least one ordinary one, in their order.

    The host's executor, runtime and flow apply to all of them. The flow enables the code generators
    in their order.
    """
    host_index = find_host(entries)
    host = dict(as_body(entries[host_index])) if host_index is not None else {}
    parts = {name: host.pop(name) for name in PARTS if name in host}
    ordinary = [
        _without_repeated(entry, parts) for entry in entries if not isinstance(entry, CodeGenerator)
    ]
    remaining = iter(ordinary)
    body: dict[str, Any] = {
        "kind": "composite",
        "devices": [
            {"kind": "byoc", "codegen": entry.name, "devices": [ordinary[-1]]}
            if isinstance(entry, CodeGenerator)
            else next(remaining)
            for entry in entries
        ],
    }
    if host:
        body[HOST] = host
    if generators := [entry for entry in entries if isinstance(entry, CodeGenerator)]:
        names = list(dict.fromkeys(entry.name for entry in generators))
        parts[FLOW] = {
            ENABLE_BYOC: names,
            **{name: value for entry in generators for name, value in entry.settings.items()},
            **parts.get(FLOW, {}),
        }
    return {**body, **parts}


def describe(entry: Entry) -> str:
    """Return the name of a target in notes: its kind, its tag or its code generator."""
    match entry:
        case CodeGenerator(name=name) | str(name):
            return echo(name)
        case _:
            return echo(entry.get("kind", entry.get("tag")))


def as_body(entry: Entry) -> Mapping[str, Any]:
    """Return the body of a target that is neither a reference nor a code generator."""
    assert isinstance(entry, Mapping)  # noqa: S101 - only objects have a kind
    return entry


def _without_repeated(entry: str | Mapping[str, Any], parts: Mapping[str, Json]) -> Json:
    """Return a target without the executor, runtime and flow that the composite states for it."""
    if isinstance(entry, str):
        return entry
    return {
        name: value
        for name, value in entry.items()
        if name not in parts or not is_same_json(value, parts[name])
    }
