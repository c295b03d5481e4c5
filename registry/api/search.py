"""GET tags: search by name, facts and attributes, with facets."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, cursors
from registry.api.base import Resource
from registry.api.described import searching as described
from registry.models import Entry
from registry.services.search import asking, searching
from registry.services.search.searching import Found


class Tags(Resource):
    """All tags, or those that answer a question."""

    parameters = asking.PARAMETERS

    @extend_schema(**described.TAGS)
    def get(self, request: Request) -> HttpResponse:
        """A page of tags, the best matches first or the latest published."""
        asked = request._request
        found = searching.search(asking.question(asked.GET), after=cursors.after(asked))
        return answers.of_json(asked, _shown(asked, found))


def _shown(request: HttpRequest, found: Found) -> dict[str, Any]:
    return {
        "results": [entry(each) for each in found.entries],
        "next": cursors.next_url(request, found.following),
        "total": found.total,
        "capped": found.is_capped,
        "facets": {
            facet: [{"value": value.value, "count": value.count} for value in values]
            for facet, values in found.facets.items()
        },
        "suggestions": [each.text for each in found.near],
    }


def entry(found: Entry) -> dict[str, Any]:
    """A tag in a list; what is not known is null, and so is the version where all are yanked."""
    version = found.version
    return {
        "tag": found.text,
        "reference": f"{found.text}@{version.number}" if version else None,
        "version": str(version.number) if version else None,
        "digest": version.digest if version else None,
        "published": version.date if version else None,
        "kind": found.kind or None,
        "vendor": found.vendor or None,
        "arch": found.arch or None,
        "family": found.family or None,
        "status": found.status,
    }
