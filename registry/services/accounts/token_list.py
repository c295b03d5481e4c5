"""Lists tokens, and tells their states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from registry.models import Token, User
from registry.services.core.paging import Page, paginate

STATES = ("in force", "revoked", "expired", "owner closed")


def all_tokens() -> QuerySet[Token]:
    """Return all tokens with their owners, without digests."""
    return Token.objects.select_related("owner").defer("digest")


def list_tokens(
    owner: User, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[Token]:
    """Return a page of an account's tokens, newest first, without digests. One query.

    Those of trusted publishers, which nobody keeps, are left out.
    """
    tokens = all_tokens().filter(owner=owner, publisher=None).order_by("-pk")
    if after:
        tokens = tokens.filter(pk__lt=after[0])
    return paginate(tokens, key=lambda token: [token.pk], limit=limit)


def find_token(owner: User, prefix: str) -> Token | None:
    """Return an account's token by its prefix, or None if it has no such token. One query."""
    return all_tokens().filter(owner=owner, prefix=prefix).first()


def token_state(token: Token) -> str:
    """Return a token's state, one of `STATES`. Needs its owner loaded."""
    if token.revoked:
        return "revoked"
    if token.expires and token.expires <= timezone.now():
        return "expired"
    return "in force" if token.owner.is_active else "owner closed"


def tokens_in(rows: QuerySet[Token], state: str) -> QuerySet[Token]:
    """Return the tokens in a state, as `token_state` tells it."""
    has_expired = Q(expires__lte=timezone.now(), expires__isnull=False)
    if state == "revoked":
        return rows.exclude(revoked=None)
    if state == "expired":
        return rows.filter(has_expired, revoked=None)
    is_active = state != "owner closed"
    return rows.filter(revoked=None, owner__is_active=is_active).exclude(has_expired)
