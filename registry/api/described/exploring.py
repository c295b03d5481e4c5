"""Where values come from, what differs, who is made from what, who owns what, what happened."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from registry.api.described.publishing import CHANGE
from registry.api.described.resolving import DEPENDENCY, LOCATION
from registry.api.described.words import (
    ALWAYS,
    CACHED,
    CURSOR,
    DATE,
    IF_NONE_MATCH,
    READING,
    REFERENCE,
    SELECTED,
    SPELLING,
    TEXT,
    TEXTS,
    Schema,
    a_list,
    a_page,
    an_object,
    answers,
    component,
    or_null,
)
from registry.domain.errors import Code
from registry.domain.number import Bump
from registry.domain.reference import PAIR_EXPECTED
from registry.models import Policy, Role

INTEGER: Schema = {"type": "integer"}
STATUS: Schema = {"type": "string", "enum": ["active", "yanked"]}
RELATION: Schema = {"type": "string", "enum": ["inherits", "composes"]}

EXPLAINED = component(
    "Explanation",
    an_object(
        reference=TEXT,
        values=a_list(
            {
                "type": "object",
                "properties": {"pointer": TEXT, "value": {}, "from": TEXT},
                "required": ["pointer", "value", "from"],
            }
        ),
    ),
)
SIDE = an_object(reference=TEXT, exact=TEXT, digest=TEXT, status=STATUS)
KEY = component("ComparedKey", an_object(key=TEXT, count=INTEGER, old=TEXTS, new=TEXTS))
COMPARED = component(
    "Comparison",
    an_object(
        old=SIDE,
        new=SIDE,
        bump=or_null(
            {"type": "string", "enum": [str(bump) for bump in Bump if bump is not Bump.FIRST]}
        ),
        changes=a_list(CHANGE),
        tuning_keys=an_object(kept=a_list(KEY), lost=a_list(KEY), new=a_list(KEY)),
    ),
)
MEMBER = component(
    "LineageMember",
    an_object(
        reference=TEXT,
        distance=INTEGER,
        kind=or_null(TEXT),
        digest=TEXT,
        published=DATE,
        status=STATUS,
        uses=a_list(DEPENDENCY),
    ),
)
DEPENDENT = component(
    "Dependent",
    an_object(
        tag=TEXT,
        reference=TEXT,
        distance=INTEGER,
        relation=or_null(RELATION),
        requested=or_null(TEXT),
        pointer=or_null(TEXT),
        resolved=or_null(TEXT),
        status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
        outdated=or_null({"type": "boolean"}),
    ),
)
POLICY: Schema = {"type": "string", "enum": list(Policy.values)}
OWNED = an_object(
    name=TEXT, title=TEXT, description=TEXT, url=or_null(TEXT), policy=POLICY, tags=INTEGER
)
OWNER = an_object(username=TEXT, role={"type": "string", "enum": list(Role.values)})
EVENT = component(
    "Event",
    an_object(
        number=INTEGER,
        action=TEXT,
        subject=TEXT,
        namespace=or_null(TEXT),
        actor=TEXT,
        created=DATE,
        detail={"type": "object"},
    ),
)

EXPLAIN: dict[str, Any] = {
    "operation_id": "explain",
    "summary": "Which version set each value",
    "parameters": [REFERENCE, IF_NONE_MATCH, *CACHED, LOCATION],
    "responses": answers({200: OpenApiResponse(EXPLAINED)}, READING),
}

A_PAIR = rf"^{SPELLING}{SELECTED}\.{{3}}{SPELLING}{SELECTED}$"

DIFF: dict[str, Any] = {
    "operation_id": "diff",
    "summary": "What differs between two versions",
    "parameters": [
        OpenApiParameter(
            "pair",
            {"type": "string", "pattern": A_PAIR},
            OpenApiParameter.PATH,
            description=PAIR_EXPECTED,
            examples=[OpenApiExample("two versions", value="arm/soc@1.0.0...arm/soc:aot@1")],
        ),
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers({200: OpenApiResponse(COMPARED)}, READING),
}

LINEAGE: dict[str, Any] = {
    "operation_id": "lineage",
    "summary": "Every version that one was made from",
    "parameters": [REFERENCE, CURSOR, IF_NONE_MATCH, *CACHED, LOCATION],
    "responses": answers({200: OpenApiResponse(a_page(MEMBER))}, (*READING, Code.FILTER_INVALID)),
}

DEPENDENTS: dict[str, Any] = {
    "operation_id": "dependents",
    "summary": "What was made from a version",
    "parameters": [
        REFERENCE,
        OpenApiParameter(
            "versions",
            OpenApiTypes.STR,
            enum=["all"],
            description="all: every version of a dependent, not its newest one only",
        ),
        CURSOR,
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {200: OpenApiResponse(a_page(DEPENDENT))}, (*READING, Code.FILTER_INVALID)
    ),
}

NAMESPACES: dict[str, Any] = {
    "operation_id": "namespaces",
    "summary": "All namespaces",
    "parameters": [CURSOR, IF_NONE_MATCH, *CACHED],
    "responses": answers(
        {200: OpenApiResponse(a_page(component("Namespace", OWNED)))},
        (*ALWAYS, Code.FILTER_INVALID),
    ),
}

NAMESPACE: dict[str, Any] = {
    "operation_id": "namespace",
    "summary": "A namespace with its members",
    "parameters": [
        OpenApiParameter(
            "name", OpenApiTypes.STR, OpenApiParameter.PATH, description="the first segment of tags"
        ),
        CURSOR,
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {
            200: OpenApiResponse(
                component(
                    "NamespaceWithMembers",
                    an_object(**OWNED["properties"], members=a_list(OWNER), next=or_null(TEXT)),
                )
            )
        },
        (*ALWAYS, Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN),
    ),
}

EVENTS: dict[str, Any] = {
    "operation_id": "events",
    "summary": "The log of all writes, in commit order",
    "parameters": [
        OpenApiParameter(
            "after",
            OpenApiTypes.INT,
            description="the number of the last event seen; 0, or none, for all",
        ),
        OpenApiParameter("namespace", OpenApiTypes.STR, description="those of one namespace"),
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {200: OpenApiResponse(a_page(EVENT))},
        (*ALWAYS, Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN),
    ),
}
