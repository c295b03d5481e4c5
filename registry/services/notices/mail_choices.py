"""Chooses when news of each kind are mailed."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.notices import DEFAULT_TIMES, MailTime, NoticeKind
from registry.models import MailChoice, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write


def chosen_times(user: User) -> Mapping[NoticeKind, MailTime]:
    """Return when an account is mailed news of each kind. One query."""
    rows = MailChoice.objects.filter(user=user)
    return dict(DEFAULT_TIMES) | {NoticeKind(row.kind): MailTime(row.time) for row in rows}


def choose_times(times: Mapping[NoticeKind, MailTime], *, actor: Actor | None) -> None:
    """Choose when the actor is mailed news of some kinds."""
    permission = permissions.require_own(actor, Action.KEEP_NEWS)
    with authorized_write(permission):
        for kind, time in times.items():
            store(permission.user, kind, time)


def store(user: User, kind: NoticeKind, time: MailTime) -> None:
    """Store a choice. Call under the write lock."""
    MailChoice.objects.update_or_create(user=user, kind=str(kind), defaults={"time": str(time)})
