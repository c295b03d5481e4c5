"""The page of export formats: command, output, losses, or the reason of a failure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.composition import nodes
from registry.domain.errors import Refused
from registry.domain.exporting import Loss
from registry.domain.reference import Reference
from registry.services.tags import detail
from registry.services.versions import exporting, resolving
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat, Rendering
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.tags import snippets
from registry.web.tags.sections import version_sections
from registry.web.tags.snippets import DEFAULT, TOOLS
from registry.web.versions.node_links import links, query, requested_node, unknown_node_page

MAX_LOSSES = 6
MAX_NODES = 12
MAX_TEXT = 1000  # characters of a text; flags have some hundred

OF_FORM = {tool.form: tool for tool in TOOLS.values() if tool.form == tool.name}


@dataclass(frozen=True, slots=True)
class Offer:
    """A format and its rendering of the target; `found` is None if it was not tried."""

    form: ExportFormat
    url: str
    command: str
    where: str
    found: Rendering | Refused | None
    near: Sequence[Suggestion]

    @property
    def unfit(self) -> Refused | None:
        """Return the refusal if the format cannot express the target."""
        return self.found if isinstance(self.found, Refused) else None

    @property
    def is_tried(self) -> bool:
        """Return whether the target was rendered in the format."""
        return isinstance(self.found, Rendering)

    @property
    def dropped(self) -> Sequence[Loss]:
        """Return the first of the options that the format leaves out."""
        return self.found.dropped[:MAX_LOSSES] if isinstance(self.found, Rendering) else ()

    @property
    def more_dropped(self) -> int:
        """Return how many further options it leaves out."""
        count = len(self.found.dropped) if isinstance(self.found, Rendering) else 0
        return max(0, count - MAX_LOSSES)

    @property
    def text(self) -> str:
        """Return the output, truncated, if it is text; JSON is only linked."""
        if not isinstance(self.found, Rendering) or self.form.is_json:
            return ""
        text = self.found.text.rstrip("\n")
        return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"


@public_page
def formats(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the formats of the resolved version, or of one of its nodes."""
    sheet = detail.version_detail(reference)
    answer, node = sheet.answer, requested_node(request)
    if node:
        try:
            answer = resolving.select_node(answer, node)
        except Refused as refusal:
            return unknown_node_page(request, refusal, reference)
    is_tried = len(answer.target) <= exporting.MAX_EAGER_SIZE
    tried = exporting.render_each(answer, EXPORT_FORMATS.values()) if is_tried else {}
    inside = [each.pointer for each in nodes(json.loads(sheet.version.target)) if each.kind]
    of_mixin = sheet.version.is_mixin and not node  # which all other formats refuse alike
    shown = [form for form in EXPORT_FORMATS.values() if form.takes_mixins or not of_mixin]
    nearest = sorted(inside, key=lambda pointer: pointer.count("/"))
    context = {
        **version_sections(sheet, "formats"),
        "node": node,
        "query": query(node=node),
        "is_tried": is_tried,
        "offers": [_offer(request, reference, form, node, tried) for form in shown],
        "others": _first_refusal(tried) if len(shown) < len(EXPORT_FORMATS) else None,
        "nodes": links("formats", reference, islice(nearest, MAX_NODES)),
        "node_count": len(inside),
    }
    return render(request, "registry/tag/formats.html", context)


def _first_refusal(tried: Mapping[str, Rendering | Refused]) -> Refused | None:
    """Return the refusal of one of the formats, if there is one."""
    return next((found for found in tried.values() if isinstance(found, Refused)), None)


def _offer(
    request: HttpRequest,
    reference: Reference,
    form: ExportFormat,
    node: str,
    tried: Mapping[str, Rendering | Refused],
) -> Offer:
    tool, found = OF_FORM.get(form.name, DEFAULT), tried.get(form.name)
    pointers = found.suggestions if isinstance(found, Refused) else ()
    return Offer(
        form=form,
        url=f"{reverse('api:resolve', args=[reference])}{query(format=form.name, node=node)}",
        command=tool.snippet(snippets.url(request, reference, form.name, node)),
        where=tool.where,
        found=found,
        near=links("formats", reference, [each for each in pointers if each.startswith("/")][:4]),
    )
