"""Tokens: made once, shown once, kept as a digest, compared in constant time."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.reference import COMPONENT
from registry.models import Token, User
from registry.services.permissions import Action, Actor
from registry.services.writing import exclusive, record

SECRET_BYTES = 32  # 256 bits: no guessing, and so no need of a slow hash
FORM = re.compile(r"ttr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
USED_EVERY = timedelta(hours=1)  # `last_used` is kept to the hour, not one write a request


def issue(
    owner: User,
    *,
    label: str,
    scopes: set[Action],
    pattern: str,
    actor: User,
    expires: datetime | None = None,
) -> str:
    """Make a token and return its text: the only time that it is to be had.

    Raises `Refused` (REQUEST_INVALID) for a pattern that is none or a token without scopes.
    """
    if not scopes or not is_pattern(pattern):
        message = f"{pattern!r} with scopes {sorted(scopes)} is no token"
        expected = "at least one scope; a namespace, ns/prefix/* or *"
        refuse_all([Fault("/pattern", Code.REQUEST_INVALID, message, expected, pattern)])
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(SECRET_BYTES)
    text = f"ttr_{prefix}_{secret}"
    with exclusive():
        Token.objects.create(
            owner=owner,
            label=label,
            prefix=prefix,
            digest=_digest(text),
            scopes=" ".join(sorted(scopes)),
            pattern=pattern,
            expires=expires,
        )
        record("token.issued", prefix, actor=actor, namespace="", owner=owner.username)
    return text


def revoke(prefix: str, *, actor: User | None = None) -> Token:
    """Put a token out of force for ever, in its owner's name unless another's is given.

    Raises `Refused` (CONFLICT) where no token in force has the prefix.
    """
    with exclusive():
        unrevoked = Token.objects.filter(prefix=prefix, revoked=None).select_related("owner")
        token = unrevoked.first()
        if token is None:
            raise Refused(Code.CONFLICT, f"No token in force has the prefix {prefix}.")
        token.revoked = timezone.now()
        token.save(update_fields=["revoked"])
        owner = token.owner
        record("token.revoked", prefix, actor=actor or owner, namespace="", owner=owner.username)
    return token


def is_pattern(text: str) -> bool:
    """Whether a text says what a token is for: `*`, a namespace, or `ns/prefix/*`."""
    *parts, last = text.split("/")
    components = parts if last == "*" and parts else [*parts, last]
    whole = text == "*" or all(COMPONENT.fullmatch(part) for part in components)
    return whole and (last == "*" or not parts)


def authenticate(text: str) -> Actor:
    """Who a token speaks for.

    Raises `Refused` (UNAUTHENTICATED) for one that is malformed, unknown, revoked, expired, or
    whose owner's account is closed; the sentence is the same for the unknown and the wrong.
    """
    form = FORM.fullmatch(text)
    token = Token.objects.select_related("owner").filter(prefix=form[1]).first() if form else None
    known = token.digest if token else _digest("")
    if not secrets.compare_digest(known, _digest(text)) or token is None:
        raise Refused(Code.UNAUTHENTICATED, "This token is not known.")
    now = timezone.now()
    if token.revoked:
        raise Refused(Code.UNAUTHENTICATED, f"The token {token.label!r} is revoked.")
    if token.expires and token.expires <= now:
        raise Refused(
            Code.UNAUTHENTICATED, f"The token {token.label!r} expired on {token.expires:%Y-%m-%d}."
        )
    if not token.owner.is_active:
        raise Refused(Code.UNAUTHENTICATED, "The account of this token is closed.")
    if not token.last_used or token.last_used < now - USED_EVERY:
        unused = Q(last_used=None) | Q(last_used__lt=now - USED_EVERY)
        Token.objects.filter(unused, pk=token.pk).update(last_used=now)
    return Actor(token.owner, token)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
