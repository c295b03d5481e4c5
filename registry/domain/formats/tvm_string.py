"""`tvm-string`: the command line that TVM took as a target to 0.23 (section 11).

Of executor, runtime and flow it says what targets had options for to TVM 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.composition import COMPOSITES, nodes
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA, Export, Format, Subject, left_out
from registry.domain.kinds import EXECUTOR, HARDWARE, RUNTIME, Kinds
from registry.domain.parts import HOST
from registry.domain.pointer import ROOT, child, tokens
from registry.domain.tvm import removed
from registry.domain.tvm.command_line import BLANK, word
from registry.domain.tvm.moved import HOMES, PARTS, RUNTIMES, Settling
from registry.domain.tvm.option_text import schema_of, written

MAX_HOSTS = 4  # inside one another: each doubles the backslashes, and nobody builds with as many
SPELT: Mapping[str, Mapping[str, str]] = {
    EXECUTOR: {"aot": "aot", "graph": "graph"},
    RUNTIME: {kind: spelling for spelling, kind in RUNTIMES.items()},
}  # what the options of these names said, by kind


def write(subject: Subject) -> Export:
    """Write a leaf: its keys first, then its other options by name; without an end of line.

    Raises `Refused` (FORMAT_UNFIT) for a composite, naming nodes that can be written.
    """
    target = subject.target
    if target["kind"] in COMPOSITES:
        raise _unfit(subject)
    writing = _Writing(subject.kinds)
    line = writing.line(writing.aged(target), ROOT)
    return Export(line, left_out(target, writing.said, _reason))


def _unfit(subject: Subject) -> Refused:
    leaves = subject.asked_for(node for node in nodes(subject.target) if node.is_leaf)
    return Refused(
        Code.FORMAT_UNFIT,
        f"A command line says one target, and this {subject.target['kind']} has several. Ask for "
        f"one of its nodes, as with ?node={leaves[0]}.",
        suggestions=leaves,
    )


def _reason(pointer: str) -> str:
    path = tokens(pointer)
    if path[-1] == HARDWARE:
        return "facts for people, which no compiler reads"
    if set(PARTS) & set(path):
        return "neither this kind nor the host's had an option for it in TVM"
    if path[-1] == HOST:
        return f"at most {MAX_HOSTS} hosts are written inside one another"
    return "no command line is read as this value"


@dataclass(slots=True)
class _Writing:
    """A target being written; `said` fills with the pointers into it of what the line says."""

    kinds: Kinds
    said: set[str] = field(default_factory=set)

    def aged(self, target: dict[str, Any]) -> dict[str, Any]:
        """The target as it was to TVM 0.9: with options for its executor, runtime and flow.

        They stand on it, or else on its host, which then said it for both.
        """
        node = _without_parts(target)
        owners: list[dict[str, Any]] = [node, *([node[HOST]] if HOST in node else [])]
        for part in PARTS:
            for owner in owners:
                if options := _old_options(part, target.get(part, {}), owner["kind"]):
                    owner.update(options)
                    said = {"kind", *options} & target[part].keys()
                    self.said |= {child(child(ROOT, part), name) for name in said}
                    break
        return node

    def line(self, node: dict[str, Any], pointer: str = ROOT, depth: int = 0) -> str:
        """A node on a command line. It is the host of `depth` others inside one another."""
        kind = self.kinds.targets[node["kind"]]
        self.said.add(child(pointer, "kind"))
        words: dict[str, str] = {}
        for name in node.keys() - {"kind", HOST}:
            schema = schema_of(name, kind, self.kinds)
            if schema and (text := written(node[name], schema)) is not None:
                words[name] = text
        self.said |= {child(pointer, name) for name in words.keys() & kind.options.keys()}
        if HOST in node and depth < MAX_HOSTS:
            words[HOST] = word(self.line(node[HOST], child(pointer, HOST), depth + 1))
        order = sorted(words, key=lambda name: (name != "keys", name))
        return BLANK.join([node["kind"], *(f"-{name}={words[name]}" for name in order)])


def _without_parts(node: dict[str, Any]) -> dict[str, Any]:
    """A target and its hosts with the options of their kinds alone."""
    return {
        name: _without_parts(value) if name == HOST else value
        for name, value in node.items()
        if name not in (*PARTS, HARDWARE)
    }


def _old_options(part: str, value: dict[str, Any], kind: str) -> dict[str, Json]:
    """What a target of a kind said of its executor, runtime or flow; empty where it could not."""
    had = removed.MOVED.get(kind, frozenset())
    names = [name for name in value if HOMES.get(name, ("",))[0] == part and name in had]
    options: dict[str, Json] = {name: value[name] for name in names}
    kept = {name: value[name] for name in value if name == "kind" or name in names}
    spelling = SPELT.get(part, {}).get(kept.get("kind", ""))
    if spelling and part in had:
        options = {part: spelling, **options}
    settled = Settling().node({**options})
    assert isinstance(settled, dict)  # noqa: S101 - settling keeps an object one
    return options if kept in (settled.get(part), {"kind": settled.get(part)}) else {}


FORMAT = Format(
    name="tvm-string",
    media_type=f"text/{MEDIA}.tvm-string",
    summary='The command line that TVM took to 0.23, as in Target("llvm -mcpu=skylake").',
    write=write,
)
