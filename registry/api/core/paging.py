"""Cursor pagination: the cursor of a request, and the URL of the next page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from registry.services.core import cursors
from registry.services.core.cursors import MAX_CURSOR, PARAMETER, SALT

__all__ = ["MAX_CURSOR", "PARAMETER", "SALT", "next_url", "requested_cursor"]


def requested_cursor(request: HttpRequest) -> list[Any] | None:
    """Return the sort key after which the requested page begins; None for the first page.

    Raises `Refused` (FILTER_INVALID) for a cursor that was not issued for this query.
    """
    return cursors.decode_cursor(request.path, request.GET)


def next_url(request: HttpRequest, key: Sequence[Any] | None) -> str | None:
    """Return the URL of the next page, given the sort key of the last row; None at the end."""
    return cursors.next_url(request.path, request.GET, key)
