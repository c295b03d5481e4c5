"""The page of a version's devices and hosts, as nested boxes and as a tree."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.closed_nodes import close_node
from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.tags import detail
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.versions.node_links import links, requested_node, unknown_node_page
from registry.web.versions.sections import version_sections
from registry.web.versions.summary import summary
from ttag_rules.closed_nodes import effective_host
from ttag_rules.echo import shorten
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import split_pointer

MAX_BOXES = 60  # a target has at most 1,024 nodes
MAX_USES = 3  # tags listed in a box
MAX_TEXT = 160  # characters of a summary in a box
SHORT_KEY = 16  # characters of a tuning key
MAX_OPEN = 30  # visible boxes; inner ones are folded beyond that
MAX_BYTES = 52_000  # of boxes; a page of 100,000 also has styles and scripts
BOX_SIZE, POINTERS, REFERENCES = 650, 7, 2  # bytes of a box; occurrences in its HTML


@dataclass(frozen=True, slots=True)
class Box:
    """A node to draw, with the inner nodes that are drawn."""

    node: Node
    uses: Sequence[Mapping[str, str]]
    tuning_key: str
    inner: tuple[Box, ...]
    hidden_count: int  # direct inner nodes that are not drawn
    is_open: bool

    @property
    def label(self) -> str:
        """Return the node's name within its parent."""
        *parents, last = split_pointer(self.node.pointer) or [""]
        if last.isdecimal():
            return f"device {last}"
        if parents and parents[-1].startswith("$"):
            return f"{last} of an edit"
        return last

    @property
    def summary(self) -> str:
        """Return the node's summary in one line, truncated."""
        return shorten(summary(self.node.value), MAX_TEXT)

    @property
    def shown_uses(self) -> Sequence[Mapping[str, str]]:
        """Return the first tags that the node was made from."""
        return self.uses[:MAX_USES]

    @property
    def hidden_use_count(self) -> int:
        """Return how many of these tags are not shown."""
        return max(0, len(self.uses) - MAX_USES)

    @property
    def short_key(self) -> str:
        """Return the beginning of the node's tuning key."""
        return self.tuning_key[:SHORT_KEY]

    @property
    def uses_outer_host(self) -> bool:
        """Return whether the node is compiled with the host of an enclosing node."""
        node = self.node
        return node.is_leaf and "host" not in node.value and effective_host(node) is not None

    @property
    def counts(self) -> str:
        """Return the number of direct inner nodes, in words."""
        count = len(self.inner) + self.hidden_count
        has_host = "host" in self.node.value
        devices = count - has_host
        parts = ["a host"] if has_host else []
        if devices:
            parts.append("1 device" if devices == 1 else f"{devices} devices")
        return " and ".join(parts)


@public_page
@takes("node")
def composition(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show all nodes of the version, or with `?node=` those inside one node."""
    version_detail = detail.version_detail(reference)
    target = json.loads(version_detail.version.target)
    all_nodes = {node.pointer: node for node in nodes(target)}
    pointer = requested_node(request)
    try:
        is_node = pointer in all_nodes
        top = all_nodes[pointer if is_node else close_node(target, pointer).pointer]
    except Refused as refusal:
        return unknown_node_page(request, refusal, reference)
    inner_nodes = [node for node in all_nodes.values() if node is top or top in node.enclosing]
    drawn_nodes = _nodes_to_draw(inner_nodes, len(str(reference)))
    context = {
        "box": _box(inner_nodes, drawn_nodes, version_detail.version),
        "pointer": pointer,
        "enclosing": links(
            "composition", reference, [node.pointer for node in top.enclosing[::-1]]
        ),
        "shown_count": len(drawn_nodes),
        "node_count": len(inner_nodes),
        "total_count": len(all_nodes),
    }
    return render(
        request,
        "registry/composition/page.html",
        version_sections(version_detail, "composition") | context,
    )


def _nodes_to_draw(inner_nodes: Sequence[Node], reference_length: int) -> list[Node]:
    """Return as many nodes as fit on the page, level by level."""
    # The sort is stable, so nodes stay in order within a level.
    levels = sorted(inner_nodes, key=lambda node: len(node.enclosing))
    size = 0
    for index, node in enumerate(levels[:MAX_BOXES]):
        size += BOX_SIZE + POINTERS * len(node.pointer) + REFERENCES * reference_length
        if index and size > MAX_BYTES:
            return levels[:index]
    return levels[:MAX_BOXES]


def _box(inner_nodes: Sequence[Node], shown: Sequence[Node], version: Version) -> Box:
    """Return the first node as a box, with the shown nodes nested inside."""
    children: dict[str, list[Node]] = defaultdict(list)
    for node in inner_nodes[1:]:
        children[node.enclosing[0].pointer].append(node)
    uses: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for use in json.loads(version.dependencies):
        uses[use["pointer"]].append(use)
    keys = json.loads(version.tuning_keys)
    pointers = {node.pointer for node in shown}
    levels = [len(node.enclosing) for node in shown]

    def box(node: Node) -> Box:
        children_of_node = children[node.pointer]
        inner = tuple(box(child) for child in children_of_node if child.pointer in pointers)
        visible = sum(level <= len(node.enclosing) + 1 for level in levels)
        return Box(
            node=node,
            uses=uses[node.pointer],
            tuning_key=keys.get(node.pointer, ""),
            inner=inner,
            hidden_count=len(children_of_node) - len(inner),
            is_open=node is inner_nodes[0] or visible <= MAX_OPEN,
        )

    return box(inner_nodes[0])
