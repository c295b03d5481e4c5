"""A namespace under four-eyes, and the people around it."""

import json

import pytest

from registry.models import Event, Namespace, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    """Return a curator beside Alice, the owner."""
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    return bob


@pytest.fixture
def strict(acme: Namespace, alice: User, bob: User) -> Namespace:
    """Return the namespace under four-eyes."""
    return namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_user("staff", is_staff=True)


def last_events(count: int) -> list[tuple[str, str]]:
    """Return the action and the actor of the newest events, oldest first."""
    events = Event.objects.select_related("actor").order_by("-number")[:count]
    return [(event.action, event.actor.username) for event in reversed(events)]


def detail() -> dict[str, object]:
    """Return the detail of the newest event."""
    stored: dict[str, object] = json.loads(Event.objects.latest("number").detail)
    return stored
