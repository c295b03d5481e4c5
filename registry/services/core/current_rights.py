"""Reads an actor's current rights from the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone

from registry.domain.owner_factor import lacks_factor
from registry.models import Token, User
from registry.models.prepared_queries import among, cursor_of, one_parameter
from registry.services.core.machine_accounts import IS_PERSON

# Yields one row per existing namespace, or one row without a namespace. Written in SQL because
# Django joins only along foreign keys, and namespaces are looked up by name here.
CURRENT_RIGHTS = """
    SELECT account.id, account.username,
           account.is_active, account.is_staff, account.is_superuser,
           {is_person},
           EXISTS (SELECT 1 FROM mfa_authenticator factor
                    WHERE factor.user_id = account.id AND factor.type <> 'recovery_codes'),
           token.id IS NULL OR token.revoked IS NOT NULL,
           token.expires IS NOT NULL AND token.expires <= %s,
           token.scopes, token.pattern,
           namespace.name, namespace.policy, namespace.built_on_since <= %s, membership.role
      FROM registry_user account
      LEFT JOIN registry_token token ON token.id = %s AND token.owner_id = account.id
      LEFT JOIN registry_namespace namespace ON namespace.name {among}
      LEFT JOIN registry_membership membership
             ON membership.namespace_id = namespace.id AND membership.user_id = account.id
     WHERE account.id = %s
"""


class AccountState(NamedTuple):
    """The state of an account; SQLite has numbers for booleans."""

    pk: int
    username: str
    is_active: bool
    is_staff: bool
    is_superuser: bool


class _Row(NamedTuple):
    """The columns of the query after those of the account."""

    is_person: bool
    has_factor: bool
    is_revoked: bool
    is_expired: bool
    scopes: str | None
    pattern: str | None
    namespace: str | None
    policy: str
    needs_factor: bool | None
    role: str | None


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

    account: AccountState
    token: TokenState | None
    policies: Mapping[str, str]
    roles: Mapping[str, str]
    factor_required: frozenset[str]  # namespaces whose owners need a second factor now
    lacks_factor: bool


def read(user: User, token: Token | None, namespaces: Collection[str]) -> CurrentRights | None:
    """Return the current rights of an account, or None if it does not exist. One query."""
    found = _rows(user, token, sorted(set(namespaces)))
    if not found:
        return None
    width = len(AccountState._fields)
    rows = [_Row(*row[width:]) for row in found]
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
        account=AccountState(*found[0][:width]),
        token=state,
        policies={row.namespace: row.policy for row in rows if row.namespace},
        roles={row.namespace: row.role for row in rows if row.namespace and row.role},
        factor_required=frozenset(
            row.namespace for row in rows if row.namespace and row.needs_factor
        ),
        lacks_factor=lacks_factor(
            is_person=bool(first.is_person), has_factor=bool(first.has_factor)
        ),
    )


def _rows(user: User, token: Token | None, names: Sequence[str]) -> list[Any]:
    """Return the rows of the query: none without the account, else at least one."""
    database = connections[DEFAULT_DB_ALIAS]
    statement = CURRENT_RIGHTS.format(is_person=IS_PERSON, among=among(database.vendor))
    now = timezone.now()
    params = [
        now,
        settings.OWNER_FACTOR.latest_start(now),
        token.pk if token else None,
        one_parameter(names, database.vendor),
        user.pk,
    ]
    with cursor_of(database) as cursor:
        cursor.execute(statement, params)
        return list(cursor.fetchall())
