"""The page of a version's source: the body as written, its message and its sources."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.reference import Reference
from registry.services.tags import detail
from registry.web.core.decorators import public_page
from registry.web.core.json_blocks import highlight
from registry.web.versions.sections import version_sections

MAX_ROWS = 60  # references of the body; the API has all of them
MAX_BODY = 8000  # characters of the body: highlighted, some 40 KB


@public_page
def source(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the body of the version as it was published."""
    version_detail = detail.version_detail(reference)
    version = version_detail.version
    uses = json.loads(version.dependencies)
    links = {use["requested"]: reverse("tag", args=[use["requested"]]) for use in uses}
    context = {
        **version_sections(version_detail, "source"),
        "source": highlight(version.source, links=links, max_length=MAX_BODY),
        "sources": [(url, url.startswith("https://")) for url in version.source_urls],
        "uses": uses[:MAX_ROWS],
        "use_count": len(uses),
    }
    return render(request, "registry/tag/source.html", context)
