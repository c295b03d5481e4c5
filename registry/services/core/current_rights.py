"""Reads an actor's current rights from the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from registry.domain.owner_factor import lacks_factor
from registry.models import Token, User
from registry.services.core.machine_accounts import IS_PERSON

# Yields one row per existing namespace, or one row without a namespace. Written in SQL because
# Django joins only along foreign keys, and namespaces are looked up by name here.
CURRENT_RIGHTS = """
    SELECT account.id, account.username,
           account.is_active, account.is_staff, account.is_superuser,
           {is_person} AS is_person,
           EXISTS (SELECT 1 FROM mfa_authenticator factor
                    WHERE factor.user_id = account.id AND factor.type <> 'recovery_codes')
               AS has_factor,
           token.id IS NULL OR token.revoked IS NOT NULL AS is_revoked,
           token.expires IS NOT NULL AND token.expires <= %s AS is_expired,
           token.scopes AS scopes, token.pattern AS pattern,
           namespace.name AS namespace, namespace.policy AS policy,
           namespace.built_on_since <= %s AS needs_factor, membership.role AS role
      FROM registry_user account
      LEFT JOIN registry_token token ON token.id = %s AND token.owner_id = account.id
      LEFT JOIN registry_namespace namespace ON namespace.name IN ({names})
      LEFT JOIN registry_membership membership
             ON membership.namespace_id = namespace.id AND membership.user_id = account.id
     WHERE account.id = %s
"""


@dataclass(frozen=True, slots=True)
class TokenState:
    """The current scopes and pattern of a token, and whether it is revoked or expired."""

    is_revoked: bool
    is_expired: bool
    scopes: frozenset[str]
    pattern: str


@dataclass(frozen=True, slots=True)
class CurrentRights:
    """An account, its token if it uses one, its roles and the policies of some namespaces.

    `policies` and `roles` are keyed by the namespace's name; a namespace that does not exist is in
    neither, and one in which the account has no role is only in `policies`.
    """

    account: User
    token: TokenState | None
    policies: Mapping[str, str]
    roles: Mapping[str, str]
    factor_required: frozenset[str]  # namespaces whose owners need a second factor now
    lacks_factor: bool


def read(user: User, token: Token | None, namespaces: Collection[str]) -> CurrentRights | None:
    """Return the current rights of an account, or None if it does not exist. One query."""
    names = sorted(set(namespaces))
    placeholders = ", ".join(["%s"] * len(names)) or "NULL"
    statement = CURRENT_RIGHTS.format(names=placeholders, is_person=IS_PERSON)
    now = timezone.now()
    latest_start = settings.OWNER_FACTOR.latest_start(now)
    params = [now, latest_start, token.pk if token else None, *names, user.pk]
    rows: list[Any] = list(User.objects.raw(statement, params))
    if not rows:
        return None
    first = rows[0]
    state = None
    if token:
        state = TokenState(
            is_revoked=bool(first.is_revoked),
            is_expired=bool(first.is_expired),
            scopes=frozenset((first.scopes or "").split()),
            pattern=first.pattern or "",
        )
    return CurrentRights(
        account=first,
        token=state,
        policies={row.namespace: row.policy for row in rows if row.namespace},
        roles={row.namespace: row.role for row in rows if row.role},
        factor_required=frozenset(row.namespace for row in rows if row.needs_factor),
        lacks_factor=lacks_factor(
            is_person=bool(first.is_person), has_factor=bool(first.has_factor)
        ),
    )
