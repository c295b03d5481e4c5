"""The links between the pages of a list, for `registry/parts/pages.html`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from registry.services.core import cursors


def page_links(request: HttpRequest, next_key: Sequence[Any] | None) -> dict[str, Any]:
    """Return the links to the first page and to the one after `next_key`, None on the last."""
    return {
        "is_later_page": cursors.PARAMETER in request.GET,
        "first": cursors.first_url(request.path, request.GET),
        "next": cursors.next_url(request.path, request.GET, next_key),
    }
