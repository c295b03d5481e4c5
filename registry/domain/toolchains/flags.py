"""Which CPU a format of compiler flags speaks of, and why it leaves the rest out (section 8)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from registry.domain.composition import Node, nodes
from registry.domain.document import canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss, Subject, left_out
from registry.domain.kinds import EXECUTOR, FLOW, RUNTIME, Kind, Kinds
from registry.domain.parts import host_of
from registry.domain.pointer import ROOT, child, tokens

HOST = "host"
UNSAFE = re.compile(r"[^A-Za-z0-9_.,+:=/@-]")

# Why no flag says an option, by who reads it; the first that fits.
BY_CONSUMER = {
    "codegen": "it is for generated kernels alone, not for all that is built for the machine",
    "tuning": "it steers tuning; no flag says it",
    "graph-executor": "it is for what calls the kernels; no flag says it",
    "runtime": "it is for what loads the kernels; no flag says it",
}
BY_STRUCTURE = {
    HOST: "it is a target of its own; its flags are asked for apart",
    EXECUTOR: BY_CONSUMER["graph-executor"],
    RUNTIME: BY_CONSUMER["runtime"],
    FLOW: BY_CONSUMER["codegen"],
}
FOR_PEOPLE = "it is for people; no flag says it"
ELSEWHERE = "it stands outside of what the flags are for"


def cpu_node(subject: Subject) -> Node:
    """The node that the flags are for: the target, or else its host (of a composite, of a GPU).

    Raises `Refused` (FORMAT_UNFIT) where neither is a CPU; suggests the pointers of those inside.
    """
    found = {node.pointer: node for node in nodes(subject.target)}
    kinds = _cpu_kinds(subject.kinds)
    pointer = ROOT
    while pointer in found:
        if found[pointer].kind in kinds:
            return found[pointer]
        pointer = child(pointer, HOST)
    inside = subject.asked_for(node for node in found.values() if node.kind in kinds)
    raise Refused(
        Code.FORMAT_UNFIT,
        f"{subject.reference} is no CPU and has none as its host, so no flags are for it; "
        + ("ask for a node that is one." if inside else "expected a host, such as one of llvm."),
        suggestions=inside,
    )


def _cpu_kinds(kinds: Kinds) -> list[str]:
    """The kinds that describe a CPU: its schedules are for one, and it is named by mcpu."""
    return [
        word
        for word, kind in kinds.targets.items()
        if "cpu" in kind.default_keys and "mcpu" in kind.options
    ]


def one_machine(subject: Subject, spoken: Iterable[Node]) -> None:
    """Refuse nodes that are built with different hosts: flags are for one machine.

    Raises `Refused` (FORMAT_UNFIT); suggests the pointers of composites inside.
    """
    if len({canonical(host_of(node)) for node in spoken}) < 2:
        return
    inside = (node for node in nodes(subject.target) if node.encloses and not node.is_leaf)
    raise Refused(
        Code.FORMAT_UNFIT,
        f"{subject.reference} is several machines, built with different hosts; flags are for one. "
        "Ask for a node that is one.",
        suggestions=subject.asked_for(inside),
    )


def losses(
    subject: Subject, spoken: Iterable[Node], said: Collection[str], because: Mapping[str, str]
) -> tuple[Loss, ...]:
    """What is dropped where flags speak of some nodes and say the values at some pointers.

    `because` are reasons of their own, by pointer; else it depends on who reads an option.
    """
    innermost = sorted(spoken, key=lambda node: -len(node.pointer))

    def reason(pointer: str) -> str:
        if pointer in because:
            return because[pointer]
        for node in innermost:
            if pointer.startswith(f"{node.pointer}/"):
                name = tokens(pointer[len(node.pointer) :])[0]
                return BY_STRUCTURE.get(name) or _by_reader(subject.kinds.targets[node.kind], name)
        return ELSEWHERE

    return left_out(subject.target, said, reason)


def _by_reader(kind: Kind, name: str) -> str:
    readers = kind.options[name].consumers if name in kind.options else ()
    return next((why for who, why in BY_CONSUMER.items() if who in readers), FOR_PEOPLE)


def line(words: Iterable[str]) -> str:
    """Flags as one line that a shell and clang's reader of response files split alike.

    Both take a character after a backslash as it is, except a line break, which both take as it is
    inside of single quotes. Inside of these they differ about backslashes.
    """
    return " ".join(UNSAFE.sub(_quoted, word) or "''" for word in words)


def _quoted(character: re.Match[str]) -> str:
    return "'\n'" if character[0] == "\n" else f"\\{character[0]}"
