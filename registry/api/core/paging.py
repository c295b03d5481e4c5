"""Pages of lists: what a request's cursor says, and the address of the next page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from registry.services.core import cursors
from registry.services.core.cursors import MAX_CURSOR, PARAMETER, SALT

__all__ = ["MAX_CURSOR", "PARAMETER", "SALT", "next_url", "requested_cursor"]


def requested_cursor(request: HttpRequest) -> list[Any] | None:
    """The sort key after which the asked page begins; None for the first page.

    Raises `Refused` (FILTER_INVALID) for a cursor that was not handed out for this very question.
    """
    return cursors.decode_cursor(request.path, request.GET)


def next_url(request: HttpRequest, key: Sequence[Any] | None) -> str | None:
    """Where the next page is, given the sort key of this one's last row; None at the end."""
    return cursors.next_url(request.path, request.GET, key)
