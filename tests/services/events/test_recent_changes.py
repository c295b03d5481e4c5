"""The last changes, grouped by account, action and day."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import User, Version
from registry.services.events.recent_changes import recent_changes
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def summarize(limit: int = 6) -> list[tuple[str, str, int, str]]:
    return [
        (change.action, change.username, change.count, change.subject)
        for change in recent_changes(limit)
    ]


def test_loading_the_catalogue_is_one_change() -> None:
    ((action, username, count, _),) = summarize()
    assert (action, username) == ("version.published", "catalogue")
    assert count == Version.objects.count()


@pytest.mark.usefixtures("acme")
def test_changes_of_a_day_are_grouped_by_account_and_action(alice: User) -> None:
    for name in ("acme/a", "acme/b", "acme/c"):
        publish(name, BOARD)
    yank("acme/a@1.0.0")
    assert summarize()[:2] == [
        ("version.yanked", alice.username, 1, "acme/a@1.0.0"),
        ("version.published", alice.username, 3, "acme/c@1.0.0"),
    ]


@pytest.mark.usefixtures("acme")
def test_the_number_of_changes_is_limited() -> None:
    publish("acme/a", BOARD)
    assert len(recent_changes(1)) == 1


def test_finding_changes_takes_three_queries() -> None:
    with CaptureQueriesContext(connection) as captured:
        recent_changes(6)
    assert len(captured) == 3
