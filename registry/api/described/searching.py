"""Search, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from registry.api.described.words import (
    ALWAYS,
    CACHED,
    CURSOR,
    DATE,
    IF_NONE_MATCH,
    TEXT,
    TEXTS,
    a_list,
    a_page,
    an_object,
    answers,
    component,
    or_null,
)
from registry.domain.conditions import EXPECTED, MAX_CONDITIONS
from registry.domain.errors import Code
from registry.models import Status
from registry.services.search.facets import FACETS
from registry.services.search.searching import Sort

STATUS = {"type": "string", "enum": list(Status.values)}
ENTRY = component(
    "Entry",
    an_object(
        tag=TEXT,
        reference=or_null(TEXT),
        version=or_null(TEXT),
        digest=or_null(TEXT),
        published=or_null(DATE),
        kind=or_null(TEXT),
        vendor=or_null(TEXT),
        arch=or_null(TEXT),
        family=or_null(TEXT),
        status=STATUS,
    ),
)
VALUE = component("FacetValue", an_object(value=TEXT, count={"type": "integer"}))
FOUND = a_page(
    ENTRY,
    total={"type": "integer"},
    capped={"type": "boolean"},
    facets=an_object(**{facet: a_list(VALUE) for facet in FACETS}),
    suggestions=TEXTS,
)

_OF_FACET = {
    "namespace": "the owning first segment",
    "kind": "the root's kind; mixin for what has none",
    "vendor": "who makes the hardware",
    "arch": "what the root's code is for: sm_90, gfx942, x86_64",
    "family": "of the hardware",
    "status": "active, deprecated or yanked",
}

TAGS: dict[str, Any] = {
    "operation_id": "tags",
    "summary": "Search tags",
    "parameters": [
        OpenApiParameter("q", OpenApiTypes.STR, description="words of a name, in any spelling"),
        *(
            OpenApiParameter(facet, OpenApiTypes.STR, description=_OF_FACET[facet])
            for facet in FACETS
        ),
        OpenApiParameter(
            "where",
            TEXTS,
            explode=True,
            description=f"a condition on an attribute: {EXPECTED}; at most {MAX_CONDITIONS}",
        ),
        OpenApiParameter(
            "sort",
            OpenApiTypes.STR,
            enum=list(Sort.values),
            description="best (by name without q) or published (latest first)",
        ),
        CURSOR,
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {200: OpenApiResponse(FOUND)}, (*ALWAYS, Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN)
    ),
}
