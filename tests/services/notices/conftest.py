"""Fixtures of the tests of news: people, and what the reader of the log tells them."""

from collections.abc import Callable

import pytest

from registry.models import Namespace, Notice, Role, User
from registry.services.core.permissions import Actor
from registry.services.event_log import reading
from registry.services.namespaces import members
from registry.services.notices import reader

News = Callable[[], list[tuple[str, str, str]]]


@pytest.fixture
def carol(acme: Namespace, alice: User) -> User:
    """Return a curator of acme."""
    carol = User.objects.create_user("carol")
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor.operator(alice))
    return carol


@pytest.fixture
def bob(db: None) -> User:
    """Return a user without rights."""
    return User.objects.create_user("bob")


@pytest.fixture
def news(acme: Namespace) -> News:
    """Return a function that reads the log and returns who heard of what, and why.

    Events before the first call are no news. The account of the catalogue, which is staff, is left
    out.
    """
    reading.skip_to_end()

    def read() -> list[tuple[str, str, str]]:
        Notice.objects.all().delete()
        while reader.read_events():
            pass
        rows = Notice.objects.exclude(user__username="catalogue").order_by(
            "event", "user__username"
        )
        return list(rows.values_list("user__username", "event__action", "kind"))

    return read
