"""The page of a version's devices and hosts, as nested boxes and as a tree."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.closed_nodes import close_node, effective_host
from registry.domain.composition import Node, nodes
from registry.domain.errors import Refused
from registry.domain.pointer import split_pointer
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.tags import detail
from registry.web.core.decorators import public_page
from registry.web.tags.sections import version_sections
from registry.web.tags.summary import summary
from registry.web.versions.node_links import links, requested_node, unknown_node_page

MAX_BOXES = 60  # of at most 1,024 nodes; every node has a page and JSON of its own
MAX_USES = 3  # in a box
MAX_TEXT = 160  # characters of a summary in a box
KEY_SHOWN = 16  # characters of a tuning key
MAX_OPEN = 30  # visible boxes, beyond which inner ones are folded
MAX_BYTES = 52_000  # bytes of boxes; a page of 100,000 has style and script, too
BOX, POINTERS, REFERENCES = 650, 7, 2  # bytes of a box; how often each occurs in box and tree


@dataclass(frozen=True, slots=True)
class Box:
    """A node to draw, with the inner nodes that are drawn."""

    node: Node
    uses: Sequence[Mapping[str, str]]
    tuning_key: str
    inner: tuple[Box, ...]
    further: int  # nodes directly in it that are not shown
    is_open: bool

    @property
    def label(self) -> str:
        """Return the node's name within its parent."""
        *around, last = split_pointer(self.node.pointer) or [""]
        if last.isdecimal():
            return f"device {last}"
        if around and around[-1].startswith("$"):
            return f"{last} of an edit"
        return last

    @property
    def summary(self) -> str:
        """Return the node's summary in one line, truncated."""
        text = summary(self.node.value)
        return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"

    @property
    def shown_uses(self) -> Sequence[Mapping[str, str]]:
        """Return the first tags that the node was made from."""
        return self.uses[:MAX_USES]

    @property
    def further_uses(self) -> int:
        """Return how many of these tags are not shown."""
        return max(0, len(self.uses) - MAX_USES)

    @property
    def short_key(self) -> str:
        """Return the beginning of the node's tuning key."""
        return self.tuning_key[:KEY_SHOWN]

    @property
    def is_built_around(self) -> bool:
        """Return whether the node is compiled with the host of an enclosing node."""
        node = self.node
        return node.is_leaf and "host" not in node.value and effective_host(node) is not None

    @property
    def counts(self) -> str:
        """Return the number of direct inner nodes, in words."""
        count = len(self.inner) + self.further
        has_host = "host" in self.node.value
        devices = count - has_host
        parts = ["a host"] if has_host else []
        if devices:
            parts.append("1 device" if devices == 1 else f"{devices} devices")
        return " and ".join(parts)


@public_page
def composition(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show all nodes of the version, or with `?node=` those inside one node."""
    sheet = detail.version_detail(reference)
    target = json.loads(sheet.version.target)
    found = {node.pointer: node for node in nodes(target)}
    pointer = requested_node(request)
    try:
        top = found[pointer] if pointer in found else found[close_node(target, pointer).pointer]
    except Refused as refusal:
        return unknown_node_page(request, refusal, reference)
    inside = [node for node in found.values() if node is top or top in node.encloses]
    shown = _nearest(inside, len(str(reference)))
    context = {
        "box": _box(inside, shown, sheet.version),
        "pointer": pointer,
        "around": links("composition", reference, [node.pointer for node in top.encloses[::-1]]),
        "shown_count": len(shown),
        "node_count": len(inside),
        "whole_count": len(found),
    }
    return render(
        request, "registry/composition/page.html", version_sections(sheet, "composition") | context
    )


def _nearest(inside: Sequence[Node], reference: int) -> list[Node]:
    """Return as many nodes as the page can show, level by level.

    `reference` is the length of the reference in a box's links.
    """
    levels = sorted(inside, key=lambda node: len(node.encloses))  # stable: in order within a level
    size = 0
    for at, node in enumerate(levels[:MAX_BOXES]):
        size += BOX + POINTERS * len(node.pointer) + REFERENCES * reference
        if at and size > MAX_BYTES:
            return levels[:at]
    return levels[:MAX_BOXES]


def _box(inside: Sequence[Node], shown: Sequence[Node], version: Version) -> Box:
    """Return the first node as a box, with the shown nodes nested inside."""
    children: dict[str, list[Node]] = defaultdict(list)
    for node in inside[1:]:
        children[node.encloses[0].pointer].append(node)
    uses: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for use in json.loads(version.dependencies):
        uses[use["pointer"]].append(use)
    keys = json.loads(version.tuning_keys)
    pointers = {node.pointer for node in shown}
    levels = [len(node.encloses) for node in shown]

    def box(node: Node) -> Box:
        children_of_node = children[node.pointer]
        inner = tuple(box(found) for found in children_of_node if found.pointer in pointers)
        visible = sum(level <= len(node.encloses) + 1 for level in levels)
        return Box(
            node=node,
            uses=uses[node.pointer],
            tuning_key=keys.get(node.pointer, ""),
            inner=inner,
            further=len(children_of_node) - len(inner),
            is_open=node is inside[0] or visible <= MAX_OPEN,
        )

    return box(inside[0])
