"""Cursor pagination: the cursor of a request, and the URL of the next page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from registry.api.core.parameters import single_value
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit


def requested_cursor(request: HttpRequest) -> list[Any] | None:
    """Return the sort key after which the requested page begins; None for the first page.

    Raises `Refused` (FILTER_INVALID) for a cursor that was not issued for this query.
    """
    return cursors.decode_cursor(request.path, request.GET)


def requested_limit(request: HttpRequest) -> int | None:
    """Return the number of results that a request wants on a page; None for the default.

    Raises `Refused`: FILTER_INVALID for any but 1 to 100, REQUEST_INVALID if it is given twice.
    """
    single_value(request, LIMIT)
    return parse_limit(request.GET)


def requested_page(request: HttpRequest) -> dict[str, Any]:
    """Return `after` and `limit` of a request, as services take them. Raises `Refused`."""
    return {"after": requested_cursor(request), "limit": requested_limit(request)}


def next_url(request: HttpRequest, key: Sequence[Any] | None) -> str | None:
    """Return the URL of the next page, given the sort key of the last row; None at the end."""
    return cursors.next_url(request.path, request.GET, key)
