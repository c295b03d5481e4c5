"""Policies that the members of a namespace cannot fulfil."""

import pytest

from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.namespaces.policy_gaps import policy_gap

pytestmark = pytest.mark.django_db

Gap = tuple[int, int, int, bool]


def gap(namespace: Namespace, policy: Policy) -> Gap | None:
    namespace.policy = policy
    found = policy_gap(namespace)
    return (found.needed, found.curators, found.people, found.is_blocked) if found else None


def add(namespace: Namespace, name: str, role: Role, *, is_active: bool = True) -> User:
    user = User.objects.create_user(name, is_active=is_active)
    Membership.objects.create(namespace=namespace, user=user, role=role)
    return user


def test_four_eyes_needs_two_open_accounts(acme: Namespace, alice: User) -> None:
    assert gap(acme, Policy.FOUR_EYES) == (2, 1, 1, True)
    add(acme, "member", Role.MEMBER)
    add(acme, "gone", Role.CURATOR, is_active=False)
    assert gap(acme, Policy.FOUR_EYES) == (2, 1, 1, True)
    add(acme, "carol", Role.CURATOR)
    assert gap(acme, Policy.FOUR_EYES) is None


def test_staff_that_can_sign_in_stands_in(acme: Namespace, alice: User) -> None:
    User.objects.create_user("robot", is_staff=True)  # without a password
    assert gap(acme, Policy.FOUR_EYES) == (2, 1, 1, True)
    User.objects.create_user("boss", password="x" * 20, is_staff=True)
    assert gap(acme, Policy.FOUR_EYES) == (2, 1, 2, False)


def test_curators_policy_needs_a_curator(acme: Namespace, alice: User) -> None:
    assert gap(acme, Policy.CURATORS) is None
    Membership.objects.filter(user=alice).update(role=Role.MEMBER)
    User.objects.create_user("boss", password="x" * 20, is_staff=True)
    assert gap(acme, Policy.CURATORS) == (1, 0, 1, False)


def test_namespace_without_members_is_reviewed_by_staff(db: None) -> None:
    nvidia = Namespace.objects.get(name="nvidia")
    assert gap(nvidia, Policy.CURATORS) == (1, 0, 0, True)
    User.objects.create_user("boss", password="x" * 20, is_staff=True)
    assert gap(nvidia, Policy.CURATORS) is None


def test_members_policy_never_has_a_gap(acme: Namespace) -> None:
    assert gap(acme, Policy.MEMBERS) is None
