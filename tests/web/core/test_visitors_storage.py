"""Visitors post to every page and every route; only sessions grow, within limits."""

import pytest
from django.apps import apps
from django.test import Client
from django.urls import get_resolver

from registry.models import Session, User
from registry.services.accounts import sessions

pytestmark = pytest.mark.django_db
EXAMPLES = {  # of what the converters of our paths accept; others accept a reference
    "IntConverter": "1",
    "StringConverter": "acme",
    "UUIDConverter": "11111111-1111-4111-8111-111111111111",
}
BROWSER_FORM = {"label": "x" * 5000, "do": "save", "mode": "json", "body": "{}"}


def example_paths() -> list[str]:
    """Return a path for every route, with each parameter filled in."""
    paths = set()
    for pattern, possibilities in get_resolver().reverse_dict.lists():
        if not isinstance(pattern, str):
            continue
        for options, _, _, converters in possibilities:
            for template, names in options:
                values = {
                    name: EXAMPLES.get(type(converters.get(name)).__name__, "acme/board")
                    for name in names
                }
                paths.add("/" + template % values)
    return sorted(paths)


def row_counts() -> dict[str, int]:
    """Return the number of rows of every table, except for sessions."""
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model is not Session
    }


def test_posting_to_every_page_and_route_stores_only_sessions(alice: User) -> None:
    before = row_counts()
    paths = example_paths()
    assert len(paths) > 60
    for path in paths:
        Client().post(path, BROWSER_FORM, headers={"Origin": "http://testserver"})
        Client().post(path, BROWSER_FORM, content_type="application/json")
    assert row_counts() == before
    stored = list(Session.objects.all())
    assert stored
    assert {session.account_id for session in stored} == {None}
    assert sum(session.size for session in stored) <= sessions.MAX_NETWORK_SIZE
    assert max(session.size for session in stored) < 10_000
