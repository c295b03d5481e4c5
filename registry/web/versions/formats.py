"""The page of export formats: command, output, losses, or the reason of a failure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.services.tags import detail
from registry.services.versions import exporting, resolving
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat, Rendering
from registry.services.versions.resolving import ResolvedReference
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.versions.node_links import links, query, requested_node, unknown_node_page
from registry.web.versions.sections import version_sections
from registry.web.versions.snippets import DEFAULT, TOOLS, ExportLink
from ttag_rules.echo import shorten
from ttag_rules.nodes import nodes

MAX_LOSSES = 6
MAX_NODES = 12
MAX_TEXT = 1000  # characters of a text; flags have some hundred

TOOL_OF_FORMAT = {tool.format: tool for tool in TOOLS.values() if tool.format == tool.name}


@public_page
@takes("node")
def formats(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the formats of the resolved version, or of one of its nodes."""
    version_detail = detail.version_detail(reference)
    resolution, node = version_detail.answer, requested_node(request)
    if node:
        try:
            resolution = resolving.select_node(resolution, node)
        except Refused as refusal:
            return unknown_node_page(request, refusal, reference)
    is_rendered = len(resolution.target) <= exporting.MAX_EAGER_SIZE
    results = exporting.render_each(resolution, EXPORT_FORMATS.values()) if is_rendered else {}
    refusals = (result for result in results.values() if isinstance(result, Refused))
    pointers = [
        inner.pointer for inner in nodes(json.loads(version_detail.version.target)) if inner.kind
    ]
    is_mixin = version_detail.version.is_mixin and not node
    applicable = [
        format for format in EXPORT_FORMATS.values() if format.takes_mixins or not is_mixin
    ]
    outermost = sorted(pointers, key=lambda pointer: pointer.count("/"))
    context = {
        **version_sections(version_detail, "formats"),
        "node": node,
        "query": query(node=node),
        "is_rendered": is_rendered,
        "rows": [_row(request, resolution, format, node, results) for format in applicable],
        "mixin_refusal": next(refusals, None) if len(applicable) < len(EXPORT_FORMATS) else None,
        "nodes": links("formats", reference, islice(outermost, MAX_NODES)),
        "node_count": len(pointers),
    }
    return render(request, "registry/tag/formats.html", context)


def _row(
    request: HttpRequest,
    resolution: ResolvedReference,
    format: ExportFormat,
    node: str,
    results: Mapping[str, Rendering | Refused],
) -> dict[str, Any]:
    """Return a format and its rendering of the target, unless it was not tried."""
    reference = resolution.reference
    pinned = f"{resolution.version.tag.text}@{resolution.version.digest}"
    tool, result = TOOL_OF_FORMAT.get(format.name, DEFAULT), results.get(format.name)
    refusal = result if isinstance(result, Refused) else None
    rendering = result if isinstance(result, Rendering) else None
    dropped = rendering.dropped if rendering else ()
    pointers = [text for text in refusal.suggestions if text.startswith("/")] if refusal else []
    return {
        "format": format,
        "url": f"{reverse('api:resolve', args=[reference])}{query(format=format.name, node=node)}",
        "command": tool.snippet(ExportLink.of(request, pinned, format.name, node)),
        "refusal": refusal,
        "suggestions": links("formats", reference, pointers[:4]),
        "has_more_suggestions": len(pointers) > 4,
        "is_rendered": rendering is not None,
        "text": _text(rendering) if rendering and not format.is_json else "",
        "dropped": dropped[:MAX_LOSSES],
        "more_dropped": max(0, len(dropped) - MAX_LOSSES),
    }


def _text(rendering: Rendering) -> str:
    """Return the output, truncated; JSON is only linked."""
    return shorten(rendering.text.rstrip("\n"), MAX_TEXT)
