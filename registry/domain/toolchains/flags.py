"""Common parts of the formats that are compiler flags: the CPU they describe and what they omit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from registry.domain.document import canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss, Subject, find_losses
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME, Kind, Kinds
from ttag_rules.closed_nodes import effective_host
from ttag_rules.nodes import HOST, Node, nodes
from ttag_rules.pointer import ROOT, child, split_pointer

UNSAFE = re.compile(r"[^A-Za-z0-9_.,+:=/@-]")

# The reason for omitting an option, by its consumers; the first that matches.
REASON_BY_CONSUMER = {
    "codegen": "it is only for generated kernels, not for everything built for the machine",
    "tuning": "it steers tuning; there is no flag for it",
    "graph-executor": "it is for the executor, which calls the kernels; there is no flag for it",
    "runtime": "it is for the runtime, which loads the kernels; there is no flag for it",
}
REASON_BY_MEMBER = {
    HOST: "it is a target of its own; request its flags separately",
    EXECUTOR: REASON_BY_CONSUMER["graph-executor"],
    RUNTIME: REASON_BY_CONSUMER["runtime"],
    FLOW: REASON_BY_CONSUMER["codegen"],
}
FOR_PEOPLE = "it is for people; there is no flag for it"
ELSEWHERE = "it is outside the part that the flags describe"


def find_cpu_node(subject: Subject) -> Node:
    """Return the node that the flags describe: the target or, if it is not a CPU, its host.

    Raises `Refused` (FORMAT_UNFIT) if neither is a CPU, and suggests the pointers of CPUs inside.
    """
    by_pointer = {node.pointer: node for node in nodes(subject.target)}
    kinds = cpu_kinds(subject.kinds)
    pointer = ROOT
    while pointer in by_pointer:
        if by_pointer[pointer].kind in kinds:
            return by_pointer[pointer]
        pointer = child(pointer, HOST)
    inside = subject.node_pointers(node for node in by_pointer.values() if node.kind in kinds)
    raise Refused(
        Code.FORMAT_UNFIT,
        f"{subject.reference} is not a CPU and has no CPU as its host, so there are no flags for "
        + ("it; ask for one of its CPUs." if inside else "it; expected a host, such as llvm."),
        suggestions=inside,
    )


def cpu_kinds(kinds: Kinds) -> list[str]:
    """Return the kinds that describe a CPU: with CPU schedules and the option mcpu."""
    return [
        word
        for word, kind in kinds.targets.items()
        if "cpu" in kind.default_keys and "mcpu" in kind.options
    ]


def require_one_machine(subject: Subject, described: Iterable[Node]) -> None:
    """Check that all nodes have the same host, because flags describe one machine.

    Raises `Refused` (FORMAT_UNFIT), and suggests the pointers of composites inside.
    """
    if len({canonical(effective_host(node)) for node in described}) < 2:
        return
    inside = (node for node in nodes(subject.target) if node.enclosing and not node.is_leaf)
    raise Refused(
        Code.FORMAT_UNFIT,
        f"{subject.reference} contains several machines with different hosts, but flags are for "
        "one. Ask for one of them.",
        suggestions=subject.node_pointers(inside),
    )


def flag_losses(
    subject: Subject,
    described: Iterable[Node],
    written: Collection[str],
    reasons: Mapping[str, str],
) -> tuple[Loss, ...]:
    """Return what is dropped if flags describe some nodes and express the values at some pointers.

    `reasons` are by pointer; other reasons depend on the consumers of the option.
    """
    innermost = sorted(described, key=lambda node: -len(node.pointer))

    def reason(pointer: str) -> str:
        if pointer in reasons:
            return reasons[pointer]
        for node in innermost:
            if pointer.startswith(f"{node.pointer}/"):
                name = split_pointer(pointer[len(node.pointer) :])[0]
                return REASON_BY_MEMBER.get(name) or _by_consumer(
                    subject.kinds.targets[node.kind], name
                )
        return ELSEWHERE

    return find_losses(subject.target, written, reason)


def _by_consumer(kind: Kind, name: str) -> str:
    consumers = kind.options[name].consumers if name in kind.options else ()
    return next(
        (REASON_BY_CONSUMER[name] for name in REASON_BY_CONSUMER if name in consumers), FOR_PEOPLE
    )


def shell_line(words: Iterable[str]) -> str:
    """Join flags into one line that shells and clang's response files split in the same way.

    Both read a backslash and a character as that character, except for a line break, which both
    keep inside single quotes. They differ about backslashes inside single quotes.
    """
    return " ".join(UNSAFE.sub(_quote, word) or "''" for word in words)


def _quote(character: re.Match[str]) -> str:
    return "'\n'" if character[0] == "\n" else f"\\{character[0]}"
