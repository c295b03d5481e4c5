"""What the author of a version wrote: the body, why, and what vouches for it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.reference import Reference
from registry.models import Version
from registry.services.tags import detail
from registry.web.core.code_blocks import highlight
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.tags.sections import version_sections

MOST = 60  # rows of what the body refers to; the API has all of it
MOST_SHOWN = 8000  # characters of the body: highlighted, some 40 KB


@public_page
def source(request: HttpRequest, reference: Reference) -> HttpResponse:
    """The body of the version that answers, as it was published."""
    sheet = detail.version_detail(reference)
    version = sheet.version
    uses = json.loads(version.dependencies)
    context = {
        **version_sections(sheet, "source"),
        "source": highlight(version.source, links=_links(uses), most=MOST_SHOWN),
        "sources": _linked(version),
        "published": Moment(version.published),
        "uses": uses[:MOST],
        "use_count": len(uses),
    }
    return render(request, "registry/tag/source.html", context)


def _links(uses: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Where the references in the body lead: to what was asked for."""
    return {use["requested"]: reverse("tag", args=[use["requested"]]) for use in uses}


def _linked(version: Version) -> list[tuple[str, bool]]:
    """The URLs that vouch for a version, and whether each can be followed."""
    return [(url, url.startswith("https://")) for url in detail.sources_of(version)]
