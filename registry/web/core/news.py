"""News on every page: the count in the header, and whether the user watches what a page shows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from registry.models import User
from registry.services.notices import inbox, watching


def unread_news(request: HttpRequest) -> dict[str, Any]:
    """Return the count of unread news: one query if a template shows it, none for visitors."""

    def count() -> int:
        user = getattr(request, "user", None)
        return inbox.count_unread(user) if isinstance(user, User) else 0

    return {"unread_news": SimpleLazyObject(count), "max_unread": inbox.MAX_COUNT}


def is_watched(request: HttpRequest, name: str) -> bool | None:
    """Return whether the user watches a tag or a namespace; None for visitors, without a query."""
    user = request.user
    return watching.watches(name, user) if isinstance(user, User) else None
