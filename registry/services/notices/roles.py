"""Looks up who has a role in namespaces, and who is staff."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from registry.models import Membership, User


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
