"""Cursor pagination: the page that a request asks for."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from registry.services.core import cursors
from registry.services.core.paging import parse_limit


def requested_page(request: HttpRequest) -> dict[str, Any]:
    """Return `after` and `limit` of a request, as services take them. Raises `Refused`."""
    after = cursors.decode_cursor(request.path, request.GET)
    return {"after": after, "limit": parse_limit(request.GET)}
