"""The `config` importer: the split layout, as its format writes it and as people write it by hand.

By hand a list of one name is that name; an executor or runtime is a word or an object, and `c++`
and `c` are runtimes; `enable-byoc` is one word; `mali` is a kind. A target is what is one in a
body: a kind's name, a reference, an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from registry.domain.document import MAX_BYTES, Json, canonical, parse
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds import FLOW, Kinds
from registry.domain.pointer import ROOT, child, natural
from registry.domain.split import (
    DROPPED,
    EXECUTORS,
    ITSELF,
    SETTINGS,
    TARGET_HOST,
    TARGETS,
    faults,
    is_index,
    uses,
)
from registry.domain.tvm.moved import Settling

BYOC = "enable-byoc"
MALI = {"kind": "opencl", "device": "mali"}  # what TVM's function of that name makes


def read(source: Json, kinds: Kinds) -> Imported:
    """A composite whose devices are the executors; the one without a name is the body itself.

    Raises `Refused` with every fault, or TOO_LARGE where targets are used so often that no body
    holds them. Which kinds there are is left to the check of the body.
    """
    layout: Any = parse(source) if isinstance(source, str) else source
    refuse_all(faults(layout))
    reading = _Reading(layout[TARGETS])
    nodes = {
        name: reading.executor(executor, child(child(ROOT, EXECUTORS), name))
        for name, executor in layout[EXECUTORS].items()
    }
    refuse_all(reading.faults)
    _bound(nodes.values())
    notes = [*reading.settling.notes, *_left_out_before(layout.get(DROPPED, []))]
    return Imported(_node(nodes), tuple(notes))


class _Reading:
    """A layout without faults being read: its targets as bodies say them, and what was moved."""

    def __init__(self, targets: Mapping[str, Json]) -> None:
        self.settling = Settling()
        self.faults: list[Fault] = []
        self._targets = {
            name: self._target(value, child(child(ROOT, TARGETS), name))
            for name, value in targets.items()
        }

    def executor(self, value: Mapping[str, Json], pointer: str) -> dict[str, Any]:
        """The node that an executor is: its targets, and what it says for all of them."""
        node = _node({use.label: self._targets[use.name] for use in uses(value, TARGETS, pointer)})
        around = self._settings(value, pointer)
        for use in uses(value, TARGET_HOST, pointer):
            around["host"] = self._targets[use.name]
        for name in sorted(node.keys() & around.keys()):
            place = child(pointer, SETTINGS.get(name, TARGET_HOST))
            message = f"the target that is the executor itself says its {name} too"
            self.faults.append(Fault(place, "VALUE_TWICE", message, "one of them"))
        return {**node, **around}

    def _target(self, value: Json, pointer: str) -> Json:
        settled = self.settling.node(value, pointer)
        said = settled if isinstance(settled, dict) else {"kind": settled}
        if said.get("kind") != "mali":
            return settled
        self.settling.notes.append(Note(pointer, "mali is read as opencl with device mali"))
        return {**MALI, **said, "kind": MALI["kind"]}

    def _settings(self, executor: Mapping[str, Any], pointer: str) -> dict[str, Any]:
        """Executor, runtime and flow as a body says them."""
        found = {name: executor[member] for name, member in SETTINGS.items() if member in executor}
        if isinstance(word := found.get(FLOW, {}).get(BYOC), str):
            found[FLOW] = {**found[FLOW], BYOC: [word]}
        settled = self.settling.node(found, pointer)
        assert isinstance(settled, dict)  # noqa: S101 - settling keeps an object one
        return settled


def _node(named: Mapping[str, Json]) -> dict[str, Any]:
    """The composite of what stands under labels or indices; of the empty name, that itself."""
    if ITSELF in named:
        itself = named[ITSELF]
        if isinstance(itself, str):
            return {"tag" if "/" in itself else "kind": itself}
        assert isinstance(itself, dict)  # noqa: S101 - asked by `faults`
        return itself
    order = sorted(named, key=natural)
    devices: Json = {name: named[name] for name in order}
    if all(map(is_index, order)):
        devices = [named[name] for name in order]
    return {"kind": "composite", "devices": devices}


def _bound(nodes: Iterable[Json]) -> None:
    """Refuse what gets larger than a body, for a shared target is written wherever it is used."""
    size = 0
    for node in nodes:
        size += len(canonical(node))
        if size > MAX_BYTES:
            raise Refused(
                Code.TOO_LARGE,
                "With its targets written wherever they are used, the layout has more than "
                f"{MAX_BYTES} bytes.",
            )


def _left_out_before(dropped: list[Json]) -> Iterable[Note]:
    if dropped:
        count = len(dropped)
        message = f"{count} value{'s' if count > 1 else ''} left out before cannot be read"
        yield Note(child(ROOT, DROPPED), message)


IMPORTER = Importer(
    "config",
    "The split layout: targets by name, and executors that say which of them they use and how.",
    read,
)
