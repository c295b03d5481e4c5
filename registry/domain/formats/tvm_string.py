"""The `tvm-string` format: the command line that TVM accepted for targets until 0.23.

Of executor, runtime and flow it contains the settings that were options of targets until TVM 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject, find_losses
from registry.domain.kinds.kinds import EXECUTOR, HARDWARE, RUNTIME, Kinds
from registry.domain.tvm import removed_options
from registry.domain.tvm.command_line import SPACE, quote_word
from registry.domain.tvm.moved_options import NEW_OWNERS, PARTS, RUNTIMES, OptionMove
from registry.domain.tvm.option_text import format_option, option_schema
from ttag_rules.compiled_options import compiled_options
from ttag_rules.nodes import COMPOSITES, HOST, nodes
from ttag_rules.pointer import ROOT, child, split_pointer

MAX_HOSTS = 4  # nested; each level doubles the backslashes, and real targets have one
OLD_NAMES: Mapping[str, Mapping[str, str]] = {
    EXECUTOR: {"aot": "aot", "graph": "graph"},
    RUNTIME: {kind: spelling for spelling, kind in RUNTIMES.items()},
}  # the values of the options `executor` and `runtime`, by kind


def write(subject: Subject) -> Export:
    """Write a leaf on one line: its keys, then its other options sorted by name.

    Raises `Refused` (FORMAT_UNFIT) for a composite, and suggests nodes that can be written.
    """
    target = subject.target
    if target["kind"] in COMPOSITES:
        raise _unfit(subject)
    writer = _LineWriter(subject.kinds)
    line = writer.line(writer.to_tvm_0_9(target), ROOT)
    return Export(line, find_losses(target, writer.written_pointers, _reason))


def _unfit(subject: Subject) -> Refused:
    leaves = subject.node_pointers(node for node in nodes(subject.target) if node.is_leaf)
    return Refused(
        Code.FORMAT_UNFIT,
        f"A command line describes one target, but this {subject.target['kind']} has several. Ask "
        f"for one of its nodes, as with ?node={leaves[0]}.",
        suggestions=leaves,
    )


def _reason(pointer: str) -> str:
    path = split_pointer(pointer)
    if path[-1] == HARDWARE:
        return "facts for people, which no compiler reads"
    if set(PARTS) & set(path):
        return "TVM had no option for it, neither for this kind nor for the host's"
    if path[-1] == HOST:
        return f"at most {MAX_HOSTS} nested hosts are written"
    return "no command line expresses this value"


@dataclass(slots=True)
class _LineWriter:
    """Write a target; `written_pointers` is filled with the pointers of what the line contains."""

    kinds: Kinds
    written_pointers: set[str] = field(default_factory=set)

    def to_tvm_0_9(self, target: dict[str, Any]) -> dict[str, Any]:
        """Convert a target to TVM 0.9, with options for its executor, runtime and flow.

        The options are on the target, or else on its host, where they applied to both.
        """
        node = _without_parts(target)
        owners: list[dict[str, Any]] = [node, *([node[HOST]] if HOST in node else [])]
        for part in PARTS:
            for owner in owners:
                if options := _old_options(part, target.get(part, {}), owner["kind"]):
                    owner.update(options)
                    names = {"kind", *options} & target[part].keys()
                    self.written_pointers |= {child(child(ROOT, part), name) for name in names}
                    break
        return node

    def line(self, node: dict[str, Any], pointer: str = ROOT, depth: int = 0) -> str:
        """Write a node. `depth` counts the nodes of which it is the host."""
        kind = self.kinds.targets[node["kind"]]
        node = compiled_options(node)
        self.written_pointers.add(child(pointer, "kind"))
        words: dict[str, str] = {}
        for name in node.keys() - {"kind", HOST}:
            schema = option_schema(name, kind, self.kinds)
            if schema and (text := format_option(node[name], schema)) is not None:
                words[name] = text
        self.written_pointers |= {
            child(pointer, name) for name in words.keys() & kind.options.keys()
        }
        if HOST in node and depth < MAX_HOSTS:
            words[HOST] = quote_word(self.line(node[HOST], child(pointer, HOST), depth + 1))
        order = sorted(words, key=lambda name: (name != "keys", name))
        return SPACE.join([node["kind"], *(f"-{name}={words[name]}" for name in order)])


def _without_parts(node: dict[str, Any]) -> dict[str, Any]:
    """Return a target and its hosts with only the options of their kinds."""
    return {
        name: _without_parts(value) if name == HOST else value
        for name, value in node.items()
        if name not in (*PARTS, HARDWARE)
    }


def _old_options(part: str, value: dict[str, Any], kind: str) -> dict[str, Json]:
    """Return a kind's old options for an executor, runtime or flow; empty if it had none."""
    old_names = removed_options.MOVED_OPTIONS.get(kind, frozenset())
    names = [name for name in value if NEW_OWNERS.get(name, ("",))[0] == part and name in old_names]
    options: dict[str, Json] = {name: value[name] for name in names}
    expressible = {name: value[name] for name in value if name == "kind" or name in names}
    spelling = OLD_NAMES.get(part, {}).get(expressible.get("kind", ""))
    if spelling and part in old_names:
        options = {part: spelling, **options}
    moved = OptionMove().node({**options})
    assert isinstance(moved, dict)  # noqa: S101 - moving options of an object gives an object
    return options if expressible in (moved.get(part), {"kind": moved.get(part)}) else {}


FORMAT = Format(
    name="tvm-string",
    media_type=f"text/{MEDIA_TYPE_PREFIX}.tvm-string",
    summary='The command line that TVM accepted until 0.23: Target("llvm -mcpu=skylake").',
    write=write,
)
