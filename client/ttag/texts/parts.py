"""A node as a target of its own, by the rules of the registry; test vectors state them for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from ttag.canonical_json import canonical, digest_of
from ttag.errors import Refused, Tampered, attempt, echo
from ttag.references import whole_of
from ttag.resolution import Resolution
from ttag_rules.closed_nodes import close
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import natural_key

LIBS = "libs"
MAX_SUGGESTIONS = 20  # nodes in an error


def part_of(whole: Resolution, pointer: str) -> Resolution:
    """Return what a node of a target resolves to, without asking the registry.

    It has no build key, which only the registry can compute. Raises `Refused` (NODE_UNKNOWN).
    """
    node = find_node(whole, pointer)
    part = close(node)
    data = canonical(part.target)
    return replace(
        whole,
        reference=f"{whole.reference}#{pointer}",
        node=pointer,
        digest=digest_of(data),
        text=data.decode(),
        tuning_keys=part.select(whole.tuning_keys),
        build_key="",
    )


def find_node(whole: Resolution, pointer: str) -> Node:
    """Return the node at a pointer. Raises `Refused` (NODE_UNKNOWN), as the registry does."""
    by_pointer = {node.pointer: node for node in nodes(whole.target) if node.kind}
    if pointer not in by_pointer:
        names = sorted(by_pointer.keys() - {""}, key=natural_key)
        near = get_close_matches(pointer, names, MAX_SUGGESTIONS, cutoff=0)
        raise Refused(
            f"{whole.exact} has no node at {echo(pointer)}; it has "
            f"{', '.join(names[:MAX_SUGGESTIONS]) or 'none besides the whole target'}.",
            code="NODE_UNKNOWN",
            status=HTTPStatus.NOT_FOUND,
            suggestions=near,
        )
    return by_pointer[pointer]


def require_part(part: Resolution, whole: Resolution, source: str) -> None:
    """Raise `Tampered` unless a resolution is that of a node of a whole target.

    Both have digests of their own; what the node takes from those around it is recomputed.
    """
    node = attempt(find_node, whole, part.node or "")
    is_same_version = (part.tag, part.version) == (whole.tag, whole.version)
    if (
        is_same_version
        and isinstance(node, Node)
        and _text(part.target) == _text(close(node).target)
    ):
        return
    raise Tampered(
        f"{source} sent a node {part.node!a} of {whole_of(part.reference)} that is not the node of "
        f"{whole.exact} there. Nothing of it was used."
    )


def _text(target: Mapping[str, Any]) -> bytes:
    """Return the bytes of a target; an empty `libs` is the same as none."""
    return canonical({name: value for name, value in target.items() if (name, value) != (LIBS, [])})
