"""The `config` importer: the split layout, as written by its format or by hand.

By hand, a list of one name can be that name; an executor or runtime is a name or an object, and
`c++` and `c` are runtimes; `enable-byoc` can be one name; `mali` is a kind. Targets have the same
forms as in a body: a kind's name, a reference, an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from registry.domain.document import MAX_BYTES, Json, canonical
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.importing import Imported, Importer, Note, parse_relaxed
from registry.domain.kinds.kinds import FLOW, Kinds
from registry.domain.relaxed_json import strict_json
from registry.domain.split_layout import (
    DROPPED,
    EXECUTORS,
    NO_LABEL,
    SETTINGS,
    TARGET_HOST,
    TARGETS,
    is_index,
    layout_faults,
    target_uses,
)
from registry.domain.tvm.json_target import TargetReader
from registry.domain.tvm.moved_options import OptionMove
from registry.domain.tvm.python_target import PythonReader
from ttag_rules.pointer import ROOT, child, natural_key

BYOC = "enable-byoc"
MALI = {"kind": "opencl", "device": "mali"}  # like TVM's function `mali`


def read(source: Json, kinds: Kinds) -> Imported:
    """Read a layout as a composite of its executors; an executor without a name is the body itself.

    Raises `Refused` with every fault, or TOO_LARGE if targets are shared so often that the body
    exceeds its limit. Unknown kinds are reported by the check of the body.
    """
    layout, parse_notes = _parse(source, kinds)
    refuse_all(layout_faults(layout))
    reader = _Reader(layout[TARGETS])
    nodes = {
        name: reader.executor(executor, child(child(ROOT, EXECUTORS), name))
        for name, executor in layout[EXECUTORS].items()
    }
    refuse_all(reader.faults)
    _check_size(nodes.values())
    notes = [*parse_notes, *reader.option_moves.notes, *_dropped_notes(layout.get(DROPPED, []))]
    return Imported(_node(nodes), tuple(notes))


def _parse(source: Json, kinds: Kinds) -> tuple[Any, tuple[Note, ...]]:
    """Return the layout of JSON, relaxed JSON or a literal of Python, with notes."""
    if not isinstance(source, str):
        return source, ()
    try:
        return parse_relaxed(source)
    except Refused as refusal:
        try:
            layout = PythonReader(strict_json(source)[0], TargetReader(kinds)).literal()
        except Refused:
            raise refusal from None
    return layout, (Note(ROOT, "read as Python"),)


class _Reader:
    """Reads a valid layout: its targets in the form of bodies, and notes on what was moved."""

    def __init__(self, targets: Mapping[str, Json]) -> None:
        self.option_moves = OptionMove()
        self.faults: list[Fault] = []
        self._targets = {
            name: self._target(value, child(child(ROOT, TARGETS), name))
            for name, value in targets.items()
        }

    def executor(self, value: Mapping[str, Json], pointer: str) -> dict[str, Any]:
        """Return the node for an executor: its targets and the settings common to them."""
        node = _node(
            {use.label: self._targets[use.name] for use in target_uses(value, TARGETS, pointer)}
        )
        settings = self._settings(value, pointer)
        for use in target_uses(value, TARGET_HOST, pointer):
            settings["host"] = self._targets[use.name]
        for name in sorted(node.keys() & settings.keys()):
            pointer_in_layout = child(pointer, SETTINGS.get(name, TARGET_HOST))
            message = f"the target that is the executor itself also states its {name}"
            self.faults.append(Fault(pointer_in_layout, "VALUE_TWICE", message, "only one of them"))
        return {**node, **settings}

    def _target(self, value: Json, pointer: str) -> Json:
        target = self.option_moves.node(value, pointer)
        node = target if isinstance(target, dict) else {"kind": target}
        if node.get("kind") != "mali":
            return target
        self.option_moves.notes.append(Note(pointer, "mali is read as opencl with device mali"))
        return {**MALI, **node, "kind": MALI["kind"]}

    def _settings(self, executor: Mapping[str, Any], pointer: str) -> dict[str, Any]:
        """Return executor, runtime and flow in the form of a body."""
        settings = {
            name: executor[member] for name, member in SETTINGS.items() if member in executor
        }
        if isinstance(word := settings.get(FLOW, {}).get(BYOC), str):
            settings[FLOW] = {**settings[FLOW], BYOC: [word]}
        moved = self.option_moves.node(settings, pointer)
        assert isinstance(moved, dict)  # noqa: S101 - moving options of an object gives an object
        return moved


def _node(named: Mapping[str, Json]) -> dict[str, Any]:
    """Return the composite of the targets, by label or index; for an empty name, the target."""
    if NO_LABEL in named:
        itself = named[NO_LABEL]
        if isinstance(itself, str):
            return {"tag" if "/" in itself else "kind": itself}
        assert isinstance(itself, dict)  # noqa: S101 - checked by `layout_faults`
        return itself
    order = sorted(named, key=natural_key)
    devices: Json = {name: named[name] for name in order}
    if all(map(is_index, order)):
        devices = [named[name] for name in order]
    return {"kind": "composite", "devices": devices}


def _check_size(nodes: Iterable[Json]) -> None:
    """Check the size of the body, because shared targets are repeated in it."""
    size = 0
    for node in nodes:
        size += len(canonical(node))
        if size > MAX_BYTES:
            raise Refused(
                Code.TOO_LARGE,
                "With its targets repeated wherever they are used, the layout has more than "
                f"{MAX_BYTES} bytes.",
            )


def _dropped_notes(dropped: list[Json]) -> Iterable[Note]:
    if dropped:
        count = len(dropped)
        message = f"{count} value{'s' if count > 1 else ''} dropped by an earlier export"
        yield Note(child(ROOT, DROPPED), message)


IMPORTER = Importer("config", "The split layout: named targets, and executors that use them.", read)
