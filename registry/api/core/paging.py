"""Cursor pagination: the page that a request asks for."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from registry.api.core.parameters import single_value
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit


def requested_limit(request: HttpRequest) -> int | None:
    """Return the number of results that a request wants on a page; None for the default.

    Raises `Refused`: FILTER_INVALID for any but 1 to 100, REQUEST_INVALID if it is given twice.
    """
    single_value(request, LIMIT)
    return parse_limit(request.GET)


def requested_page(request: HttpRequest) -> dict[str, Any]:
    """Return `after` and `limit` of a request, as services take them. Raises `Refused`."""
    after = cursors.decode_cursor(request.path, request.GET)
    return {"after": after, "limit": requested_limit(request)}
