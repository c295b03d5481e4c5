"""Accounts, tokens, members and trusted publishers: for those whose names they could misuse."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from registry.domain.notices import NoticeKind
from registry.models import Event, Membership, Needs, Role, Token, User
from registry.services.notices.addressee import Addressee, members_with

ACCOUNT = (
    *("account.changed", "account.password_set"),
    *("account.factor_added", "account.factor_removed", "account.recovery_key_issued"),
    *("account.identity_connected", "account.identity_removed"),
    *("account.recovered", "account.reset_started", "account.reset_stopped"),
)
TOKEN = ("token.issued", "token.revoked")
MEMBER = ("member.granted", "member.revoked")
NAMESPACE = (
    *MEMBER,
    *("publisher.registered", "publisher.revoked", "namespace.policy_set"),
    *("namespace.factor_required", "namespace.staff_confirmed"),
    *("webhook.added", "webhook.removed", "webhook.disabled"),
)


def account_owners(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield the accounts themselves, for what others did to them, their tokens and their roles."""
    named = {event: name for event in events if (name := _account_of(event))}
    users = _users(named.values())
    for event, name in named.items():
        if name in users:
            yield Addressee(event, users[name], NoticeKind.SECURITY)


def _account_of(event: Event) -> str:
    """Return the name of the account that an event is about; empty if it is about none."""
    if event.action in ACCOUNT:
        return event.subject
    if event.action in TOKEN:
        return str(json.loads(event.detail).get("owner", ""))
    return str(json.loads(event.detail).get("user", "")) if event.action in MEMBER else ""


def owners(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield the owners of the namespaces in which somebody else may now write, or no longer."""
    inside = {event: event.namespace for event in events if event.action in NAMESPACE}
    inside |= _namespaces_of_tokens([event for event in events if event.action in TOKEN])
    members = members_with([Role.OWNER], set(inside.values()))
    for event, namespace in inside.items():
        for user in members.get(namespace, ()):
            yield Addressee(event, user, NoticeKind.SECURITY, Needs.OWNER, namespace)


def _namespaces_of_tokens(events: Sequence[Event]) -> Mapping[Event, str]:
    """Return the namespace that each token is for, if its owner is a member there. Two queries."""
    if not events:
        return {}
    tokens = Token.objects.filter(prefix__in={event.subject for event in events})
    patterns = {
        prefix: (pattern.partition("/")[0], owner)
        for prefix, pattern, owner in tokens.values_list("prefix", "pattern", "owner")
    }
    rows = Membership.objects.filter(user__in={owner for _, owner in patterns.values()})
    members = set(rows.values_list("namespace__name", "user"))
    return {
        event: patterns[event.subject][0]
        for event in events
        if event.subject in patterns and patterns[event.subject] in members
    }


def _users(names: Collection[str]) -> Mapping[str, int]:
    if not names:
        return {}
    return dict(User.objects.filter(username__in=names).values_list("username", "pk"))
