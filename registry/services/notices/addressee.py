"""Accounts that events concern, and those that have a role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from registry.domain.notices import NoticeKind
from registry.models import Event, Membership, Needs, User


@dataclass(frozen=True, slots=True)
class Addressee:
    """An account that an event concerns; without the role that it `needs`, it hears nothing."""

    event: Event
    user: int
    kind: NoticeKind
    needs: Needs = Needs.NOTHING
    namespace: str = ""  # in which that role is needed
    tags: tuple[str, ...] = ()  # of the account, which are made from the event's


def members_with(roles: Collection[str], namespaces: Collection[str]) -> Mapping[str, set[int]]:
    """Return the open accounts that have one of some roles, by namespace. At most one query."""
    members: dict[str, set[int]] = defaultdict(set)
    if namespaces:
        rows = Membership.objects.filter(
            namespace__name__in=namespaces, role__in=roles, user__is_active=True
        )
        for namespace, user in rows.values_list("namespace__name", "user"):
            members[namespace].add(user)
    return members


def staff() -> set[int]:
    """Return the open accounts of staff. One query."""
    rows = User.objects.filter(is_staff=True, is_active=True)
    return set(rows.values_list("pk", flat=True))
