"""The page of a target's values: pointer, consumers, effect on tuning, and origin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.closed_nodes import close_node
from registry.domain.errors import Code, Refused, echo
from registry.domain.names.choices import invalid_filter
from registry.domain.reference import Reference
from registry.services.tags import detail
from registry.services.versions import explaining
from registry.services.versions.explaining import TargetProvenance
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.versions.node_links import links, requested_node, unknown_node_page
from registry.web.versions.sections import version_sections
from registry.web.versions.values import TargetValues, count
from ttag_rules.echo import shorten
from ttag_rules.nodes import Node

PAGE_SIZE = 118  # values; a page always has at least one node
MAX_VALUES = 250  # of a node; a kind has at most 200 options
MAX_TEXT = 400  # characters of a value
NUMBER = re.compile(r"[1-9][0-9]{0,4}")


@public_page
@takes("node", "page")
def resolved(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the values of the version, or of one of its nodes, a page at a time."""
    version_detail = detail.version_detail(reference)
    provenance = explaining.target_provenance(version_detail.version)
    values = TargetValues(provenance.target, provenance.kinds, provenance.origins)
    all_nodes = list(values.nodes.values())
    pages = _pages(all_nodes)
    try:
        shown, number = _requested_nodes(request, provenance, all_nodes, pages)
    except Refused as refusal:
        if refusal.code is Code.FILTER_INVALID:
            return error_pages.refusal_page(request, refusal, suggestions=[])
        return unknown_node_page(request, refusal, reference)
    groups = [(node, list(_rows(node, values, provenance))) for node in shown]
    requested = requested_node(request)
    enclosing = shown[0].enclosing[::-1] if requested else ()
    context = {
        **version_sections(version_detail, "resolved"),
        **_paging(reference, number, len(pages)),
        "groups": [(node, rows, count(node) - len(rows)) for node, rows in groups],
        "node": requested,
        "enclosing": links("resolved", reference, [node.pointer for node in enclosing]),
        "node_count": len(all_nodes),
        "example_node": all_nodes[-1].pointer,
        "value_count": sum(map(count, all_nodes)),
        "shown_count": sum(len(rows) for _, rows in groups),
    }
    return render(request, "registry/tag/resolved.html", context)


def _pages(all_nodes: Sequence[Node]) -> list[list[Node]]:
    """Split nodes into pages of about a hundred values each."""
    pages: list[list[Node]] = [[]]
    length = 0
    for node in all_nodes:
        size = min(count(node), MAX_VALUES)
        if pages[-1] and length + size > PAGE_SIZE:
            pages.append([])
            length = 0
        pages[-1].append(node)
        length += size
    return pages


def _requested_nodes(
    request: HttpRequest,
    provenance: TargetProvenance,
    all_nodes: Sequence[Node],
    pages: Sequence[list[Node]],
) -> tuple[list[Node], int]:
    """Return the nodes to show and their page number; 0 for a single node."""
    if pointer := requested_node(request):
        place = close_node(provenance.target, pointer).pointer
        return [node for node in all_nodes if node.pointer == place], 0
    text = request.GET.get("page", "1")
    if not NUMBER.fullmatch(text) or int(text) > len(pages):
        message = f"page={echo(text)} is not valid"
        raise invalid_filter(message, f"a number from 1 to {len(pages)}", echo(text))
    return pages[int(text) - 1], int(text)


def _rows(
    node: Node, values: TargetValues, provenance: TargetProvenance
) -> Iterator[dict[str, Any]]:
    """Yield the first values of a node, each with its consumers and the value it overrides."""
    for value in values.of_node(node, MAX_VALUES):
        overridden = provenance.overridden(value.pointer)
        old = json.dumps(overridden.value, ensure_ascii=False) if overridden else ""
        yield {
            "value": value,
            "text": shorten(value.text, MAX_TEXT),
            "readers": provenance.target_consumers.consumers_of(value.pointer),
            "overridden": overridden,
            "overridden_text": shorten(old, MAX_TEXT),
        }


def _paging(reference: Reference, number: int, last: int) -> dict[str, Any]:
    path = reverse("resolved", args=[reference])
    return {
        "page_number": number,
        "page_count": last,
        "previous": f"{path}?page={number - 1}" if number > 1 else "",
        "next": f"{path}?page={number + 1}" if 0 < number < last else "",
        "last": f"{path}?page={last}" if 0 < number < last - 1 else "",
        "first": path,
    }
