"""Tokens, for the person whose they are."""

from __future__ import annotations

from registry.models import Token, User
from registry.services.core.paging import PAGE


def list_tokens(owner: User) -> tuple[Token, ...]:
    """Somebody's tokens, the newest first, a hundred at most, without their digests. One query."""
    found = Token.objects.filter(owner=owner).select_related("owner").defer("digest")
    return tuple(found.order_by("-pk")[:PAGE])


def find_token(owner: User, prefix: str) -> Token | None:
    """One of somebody's tokens; None for another's, too. One query."""
    found = Token.objects.filter(owner=owner, prefix=prefix).select_related("owner")
    return found.defer("digest").first()
