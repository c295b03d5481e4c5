"""GET tags: search by name, facts and attributes, with facets."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.filter_parameters import FILTER_PARAMETERS
from registry.api.core.openapi_schema import PAGED, operation, query
from registry.api.core.resource import Resource
from registry.api.tags.serializers import EntryPageSerializer
from registry.domain.errors import Code
from registry.services.core import cursors
from registry.services.search import query_parameters, searching
from registry.services.search.query_parameters import ORDERS


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
                enum=["", "true", "false"],
            ),
            *FILTER_PARAMETERS,
            query(
                "sort",
                "best (by name without q), machines (before chips, by name), published (latest "
                "first), used (most resolved first), or a hardware fact (largest first; with a "
                "minus sign, smallest first), after which come the tags that do not state it",
                enum=["", *ORDERS],
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
