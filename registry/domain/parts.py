"""One node of a target, closed: a target of its own, with what encloses it written in (section 4).

A pass can attach it to one function, record it, and a later build can pick it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from registry.domain.composition import Node, nodes
from registry.domain.document import Json
from registry.domain.errors import Code, Refused, echo
from registry.domain.pointer import ROOT, PointerUnknown, child, natural

MOST_NAMED = 20  # nodes that an error names
HOST = "host"

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Part:
    """A node as a target of its own.

    `places` maps pointers of the whole document to those of the part, the longest first: the
    node's own, and that of a host which an enclosing node has and the part now states.
    """

    pointer: str
    target: dict[str, Any]
    places: tuple[tuple[str, str], ...]

    def within(self, found: Mapping[str, V]) -> dict[str, V]:
        """Of what is known by pointers of the whole document, that of the part, by its pointers."""
        moved = {}
        for pointer, value in found.items():
            place = self.place(pointer)
            if place is not None:
                moved[place] = value
        return dict(sorted(moved.items(), key=lambda pair: natural(pair[0])))

    def place(self, pointer: str) -> str | None:
        """Where a pointer of the whole document leads in the part; None where it is outside."""
        for whole, part in self.places:
            if pointer == whole or pointer.startswith(f"{whole}/"):
                return part + pointer[len(whole) :]
        return None

    def origin(self, pointer: str) -> str:
        """Where a pointer into the part leads in the whole document."""
        nearest = sorted(self.places, key=lambda pair: -len(pair[1]))
        for whole, inner in nearest:
            if pointer == inner or pointer.startswith(f"{inner}/"):
                return whole + pointer[len(inner) :]
        raise PointerUnknown(pointer)


def part(target: Json, pointer: str) -> Part:
    """The node at a pointer, with its effective host, libs and flow.

    Raises `Refused` (NODE_UNKNOWN) where no target stands there, naming those that do.
    """
    found = {node.pointer: node for node in nodes(target) if node.kind}
    if pointer not in found:
        raise Refused(
            Code.NODE_UNKNOWN,
            f"{echo(pointer)} is the pointer of no node; expected a JSON pointer such as "
            f"{next(iter(sorted(found, key=natural)[1:]), '/host')}.",
            suggestions=sorted(found, key=natural)[:MOST_NAMED],
        )
    node = found[pointer]
    closed = dict(node.value)
    places = [(node.pointer, ROOT)]
    owner = _owner_of_host(node)
    if owner is not None:
        closed[HOST] = owner.value[HOST]
        places.append((child(owner.pointer, HOST), child(ROOT, HOST)))
    around = (node, *node.encloses)
    if libs := list(dict.fromkeys(lib for each in around for lib in each.value.get("libs", ()))):
        closed["libs"] = libs
    flow: dict[str, Any] = {}
    for each in reversed(around):
        flow |= each.value.get("flow", {})
    if flow:
        closed["flow"] = flow
    return Part(pointer, closed, tuple(sorted(places, key=lambda pair: -len(pair[0]))))


def host_of(node: Node) -> dict[str, Any] | None:
    """The host that a node is built with, its own or the nearest around it; None without one."""
    owner = node if HOST in node.value else _owner_of_host(node)
    return owner.value[HOST] if owner else None


def _owner_of_host(node: Node) -> Node | None:
    """The nearest node around this one whose host it is built with; None if it has its own.

    A host itself is built with none.
    """
    if HOST in node.value or node.is_host:
        return None
    return next((around for around in node.encloses if HOST in around.value), None)
