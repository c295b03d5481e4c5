"""Reads the tokens of an account."""

from __future__ import annotations

from registry.models import Token, User
from registry.services.core.paging import PAGE


def list_tokens(owner: User) -> tuple[Token, ...]:
    """Return up to 100 of an account's tokens, newest first, without digests. One query.

    Those of trusted publishers, which nobody keeps, are left out.
    """
    tokens = (
        Token.objects.filter(owner=owner, publisher=None).select_related("owner").defer("digest")
    )
    return tuple(tokens.order_by("-pk")[:PAGE])


def find_token(owner: User, prefix: str) -> Token | None:
    """Return an account's token by its prefix, or None if it has no such token. One query."""
    tokens = Token.objects.filter(owner=owner, prefix=prefix).select_related("owner")
    return tokens.defer("digest").first()
