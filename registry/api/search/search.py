"""GET tags: search by name, facts and attributes, with facets."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import PAGED, operation, query
from registry.api.core.resource import Resource
from registry.api.tags.serializers import EntryPageSerializer
from registry.domain.errors import Code
from registry.domain.proofs import Compiler
from registry.domain.search.attributes import COMPILES
from registry.domain.search.comparable_facts import RANGE_PARAMETERS
from registry.domain.search.conditions import EXPECTED, MAX_CONDITIONS
from registry.services.core import cursors
from registry.services.search import query_parameters, searching
from registry.services.search.facets import FACETS
from registry.services.search.query_parameters import ORDERS

FACET_DESCRIPTIONS = {
    "namespace": "the first segment of the name",
    "kind": "the kind of the root node, or mixin",
    "vendor": "the vendor of the hardware",
    "arch": "the architecture of the root node: sm_90, gfx942, x86_64",
    "family": "the hardware family",
    "status": "active, deprecated, yanked or any; without it, deprecated tags are left out",
}


def _range_description(parameter: str) -> str:
    fact, operators = RANGE_PARAMETERS[parameter]
    sign = operators[0] if len(operators) == 1 else "="
    return f"hardware fact {fact.option} {sign} a number, such as {fact.example}"


class Tags(Resource):
    """The list of tags, filtered and searched."""

    @operation(
        "tags",
        "Search tags",
        EntryPageSerializer,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            query("q", "words of a name, in any spelling"),
            query(
                query_parameters.TYPING,
                "true while somebody types q: its last word may be the beginning of another",
                enum=["true", "false"],
            ),
            *(query(facet, FACET_DESCRIPTIONS[facet]) for facet in FACETS),
            query(
                COMPILES,
                "a compiler that builds the whole target of the newest version",
                enum=[*Compiler],
            ),
            query(
                "where",
                f"a condition on an attribute: {EXPECTED}; at most {MAX_CONDITIONS}",
                type={"type": "array", "items": {"type": "string"}},
                explode=True,
            ),
            *(query(name, _range_description(name)) for name in RANGE_PARAMETERS),
            query(
                "sort",
                "best (by name without q), machines (before chips, by name), published (latest "
                "first), used (most resolved first), or a hardware fact (largest first; with a "
                "minus sign, smallest first), after which come the tags that do not state it",
                enum=list(ORDERS),
            ),
            *PAGED,
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of tags in the requested order."""
        page = searching.search(
            query_parameters.parse_query(request.GET),
            after=cursors.decode_cursor(request.path, request.GET),
        )
        return self.answer(EntryPageSerializer, page)
