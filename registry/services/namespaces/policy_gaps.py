"""Finds policies that the members of a namespace cannot fulfil."""

from __future__ import annotations

from dataclasses import dataclass

from registry.models import Membership, Namespace, Policy, User
from registry.services.core.machine_accounts import with_way_in
from registry.services.core.permission_rules import CURATORS
from registry.services.namespaces.four_eyes import MIN_CURATORS

NEEDED = {Policy.CURATORS: 1, Policy.FOUR_EYES: MIN_CURATORS}  # curators and owners


@dataclass(frozen=True, slots=True)
class PolicyGap:
    """A policy that needs more curators than a namespace has.

    `curators` and owners have open accounts; `people` counts them and the staff that may decide.
    """

    namespace: Namespace
    needed: int
    curators: int
    people: int

    @property
    def is_blocked(self) -> bool:
        """Return whether nobody can fulfil the policy, not even with staff."""
        return self.people < self.needed


def policy_gap(namespace: Namespace) -> PolicyGap | None:
    """Return the gap of a namespace's policy; None if enough people have roles.

    A namespace without members is reviewed by staff, and has a gap only if there is too little of
    it. At most two queries.
    """
    needed = NEEDED.get(Policy(namespace.policy), 0)
    if not needed:
        return None
    roles = Membership.objects.filter(namespace=namespace).values_list(
        "user_id", "role", "user__is_active"
    )
    members = list(roles)
    curators = {user for user, role, is_active in members if is_active and role in CURATORS}
    if len(curators) >= needed:
        return None
    gap = PolicyGap(namespace, needed, len(curators), len(curators | _staff()))
    return gap if members or gap.is_blocked else None


def _staff() -> set[int]:
    """Return the staff that can sign in."""
    staff = User.objects.filter(with_way_in(), is_staff=True, is_active=True)
    return set(staff.values_list("pk", flat=True))
