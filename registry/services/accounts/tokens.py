"""Issues, revokes and authenticates tokens. Only their digests are stored."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.models import Token, TrustedPublisher, User
from registry.services.core import machine_accounts, permissions
from registry.services.core.database_errors import optional_write
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event

PREFIX_DIGITS = 12  # hexadecimal; they are public
SECRET_BYTES = 32  # 256 bits cannot be guessed, so a fast hash is enough
PATTERN = re.compile(r"ttr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
LAST_USED_INTERVAL = timedelta(hours=1)  # of updates to `last_used`, to avoid one per request
MAX_LABEL = 80  # characters, the width of the column


def issue_token(
    owner: User,
    *,
    label: str,
    scopes: Collection[str],
    pattern: str,
    actor: Actor | None,
    expires: datetime | None = None,
    key: UUID | None = None,
) -> str:
    """Issue a token and return its text, which is not stored.

    The key of a form issues one token, however often the form is sent.

    Raises `Refused`: FORBIDDEN if the owner is another person, or if the token needs the actor's
    password again; REQUEST_INVALID with every fault of label, scopes, pattern and expiry; CONFLICT
    if the key has issued a token.
    """
    permission = permissions.require(actor, Action.ISSUE_TOKEN, owner)
    _refuse_impersonation(owner, permission.user)
    if needs_password(scopes, expires):
        permissions.refuse_unconfirmed(permission.actor)
    label = user_text.normalize_text(label)
    with authorized_write(permission):
        owner = User.objects.get(pk=owner.pk)
        _refuse_impersonation(owner, permission.user)
        refuse_all(
            [
                *user_text.text_faults(label, "/label", max_length=MAX_LABEL, is_required=True),
                *_scope_faults(scopes),
                *_pattern_faults(pattern, owner, scopes),
                *_expiry_faults(expires),
            ]
        )
        prefix = _unused_prefix(permission.user, key) if key else None
        text, token = create_token(
            owner, label=label, scopes=scopes, pattern=pattern, expires=expires, prefix=prefix
        )
        append_event(
            "token.issued", token.prefix, actor=permission.user, namespace="", owner=owner.username
        )
    return text


def create_token(
    owner: User,
    *,
    label: str,
    scopes: Collection[str],
    pattern: str,
    expires: datetime | None,
    publisher: TrustedPublisher | None = None,
    prefix: str | None = None,
) -> tuple[str, Token]:
    """Store a token whose values are valid, and return its text and row.

    Call under the write lock.
    """
    prefix = prefix or secrets.token_hex(PREFIX_DIGITS // 2)
    text = f"ttr_{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    token = Token.objects.create(
        owner=owner,
        publisher=publisher,
        label=label,
        prefix=prefix,
        digest=_digest(text),
        scopes=" ".join(sorted(set(scopes))),
        pattern=pattern,
        expires=expires,
    )
    return text, token


# Decision 173: a form that is sent again issues no second token, and no secret is kept for it.
def _unused_prefix(user: User, key: UUID) -> str:
    """Return the prefix that the key of a user's form stands for.

    Raises `Refused` (CONFLICT) if a token has it.
    """
    prefix = hashlib.sha256(f"{user.pk} {key}".encode()).hexdigest()[:PREFIX_DIGITS]
    if Token.objects.filter(prefix=prefix).exists():
        raise Refused(
            Code.CONFLICT,
            f"This form has issued the token ttr_{prefix}_…, which was shown once. If you did not "
            "copy it, revoke it and issue another one.",
        )
    return prefix


# Decision 059: a stolen session must not become a stolen namespace.
def needs_password(scopes: Collection[str], expires: datetime | date | None) -> bool:
    """Return whether issuing a token needs the password again.

    Such a token is worth stealing: it never expires, or does more than propose.
    """
    return expires is None or not set(scopes) <= {Scope.PROPOSE}


def _refuse_impersonation(owner: User, user: User) -> None:
    """Raise `Refused` (FORBIDDEN) if a token would act as another person."""
    if owner == user:
        return
    # Decision 178: to remove a password is no way into the account of whoever had it.
    if not machine_accounts.is_machine(owner):
        raise Refused(
            Code.FORBIDDEN,
            f"{owner} is a person, who signs in; only {owner} can issue tokens for that account.",
        )


def _scope_faults(scopes: Collection[str]) -> Iterator[Fault]:
    unknown = sorted(set(scopes) - set(Scope))
    if unknown or not scopes:
        message = (
            f"{echo(unknown[0])} is not a scope" if unknown else "a token needs at least one scope"
        )
        expected = "at least one of " + ", ".join(Scope)
        yield Fault("/scopes", Code.REQUEST_INVALID, message, expected, " ".join(sorted(scopes)))


def _pattern_faults(pattern: str, owner: User, scopes: Collection[str]) -> Iterator[Fault]:
    """Yield the fault of an invalid pattern.

    Tokens for all names, `*`, are for staff and for those that only propose: anybody may propose
    anywhere.
    """
    if not permissions.is_pattern(pattern):
        expected = "a namespace such as acme, or the beginning of names such as acme/boards/*"
        message = f"{echo(pattern) or '(empty)'} is not a namespace or the beginning of names"
        yield Fault("/pattern", Code.REQUEST_INVALID, message, expected, echo(pattern))
    elif pattern == "*" and not owner.is_staff and not set(scopes) <= {Scope.PROPOSE}:
        message = "a token for all names can only propose"
        expected = "the scope propose alone, or a namespace"
        yield Fault("/pattern", Code.REQUEST_INVALID, message, expected, pattern)


def _expiry_faults(expires: datetime | None) -> Iterator[Fault]:
    if expires and expires <= timezone.now():
        date = f"{expires:%Y-%m-%d}"
        message = f"{date} is in the past"
        yield Fault("/expires", Code.REQUEST_INVALID, message, "a future time, or none", date)


def revoke_token(prefix: str, *, actor: Actor | None) -> Token:
    """Revoke a token permanently.

    Raises `Refused` (CONFLICT) if no unrevoked token has the prefix.
    """
    permissions.authenticated(actor)
    owner = find_unrevoked(prefix).owner
    permission = permissions.require(actor, Action.REVOKE_TOKEN, owner)
    with authorized_write(permission):
        token = find_unrevoked(prefix)
        _revoke(token, permission.user)
    return token


def revoke_all_tokens(owner: User) -> None:
    """Revoke all tokens of an account, as that account. Call under the write lock."""
    for token in Token.objects.filter(owner=owner, revoked=None).order_by("pk"):
        token.owner = owner
        _revoke(token, owner)


def find_unrevoked(prefix: str) -> Token:
    """Return a token with its owner. Raises `Refused` (CONFLICT) if none is in force."""
    token = Token.objects.filter(prefix=prefix, revoked=None).select_related("owner").first()
    if token is None:
        raise Refused(Code.CONFLICT, f"There is no active token with the prefix {prefix}.")
    return token


def _revoke(token: Token, user: User) -> None:
    token.revoked = timezone.now()
    token.save(update_fields=["revoked"])
    append_event(
        "token.revoked", token.prefix, actor=user, namespace="", owner=token.owner.username
    )


def authenticate(text: str) -> Actor:
    """Return the actor of a token. Digests are compared in constant time.

    Raises `Refused` (UNAUTHENTICATED) if the token is malformed, unknown, revoked or expired, or
    its owner's account is closed. Unknown prefixes and wrong secrets get the same message.
    """
    match = PATTERN.fullmatch(text)
    token = Token.objects.select_related("owner").filter(prefix=match[1]).first() if match else None
    stored = token.digest if token else _digest("")
    if not secrets.compare_digest(stored, _digest(text)) or token is None:
        raise Refused(Code.UNAUTHENTICATED, "This token is invalid.")
    now = timezone.now()
    is_expired = bool(token.expires and token.expires <= now)
    permissions.refuse_inactive_token(
        token, is_revoked=token.revoked is not None, is_expired=is_expired
    )
    if not token.owner.is_active:
        raise Refused(Code.UNAUTHENTICATED, "The account of this token is closed.")
    hour_ago = now - LAST_USED_INTERVAL
    if not token.last_used or not hour_ago <= token.last_used <= now:  # the clock may go back
        outdated = Q(last_used=None) | ~Q(last_used__range=(hour_ago, now))
        with optional_write(), transaction.atomic():
            Token.objects.filter(outdated, pk=token.pk).update(last_used=now)
    return Actor(token.owner, token)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
