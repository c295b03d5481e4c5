"""Somebody who looks after the registry, as Django's client."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Event, User


class Answer:
    """An answer as a test reads it."""

    def __init__(self, response: Any, queries: int) -> None:
        self.response = response
        self.status: int = response.status_code
        self.queries = queries
        self.html: str = response.content.decode()

    @property
    def text(self) -> str:
        """What stands in the main part, without its markup."""
        main = re.sub(r"<[^>]*>", " ", self.html.partition("<main ")[2].partition("</main>")[0])
        return re.sub(r"\s+", " ", html.unescape(main)).strip()

    @property
    def links(self) -> list[str]:
        """Where the page leads."""
        return [html.unescape(url) for url in re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)]

    @property
    def rows(self) -> list[str]:
        """The rows of a list, as text."""
        body = self.html.partition("<tbody>")[2].partition("</tbody>")[0]
        rows = body.split("</tr>")[:-1]
        return [
            re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", row))).strip() for row in rows
        ]


class Desk:
    """A person at the admin: sees pages, fills in forms."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.client = Client()
        self.client.force_login(user)

    def see(self, path: str, **query: str) -> Answer:
        """A page below /admin/."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(f"/admin/{path}", query)
        return Answer(response, len(queries))

    def send(self, path: str, **typed: Any) -> Answer:
        """What follows on a form, where it leads."""
        return Answer(self.client.post(f"/admin/{path}", typed, follow=True), 0)


@pytest.fixture
def boss(db: None) -> User:
    """A superuser."""
    return User.objects.create_superuser("boss", password="correct horse battery")


@pytest.fixture
def desk(boss: User) -> Desk:
    """The superuser at the admin."""
    return Desk(boss)


@pytest.fixture
def clerk(db: None) -> Desk:
    """Staff without further rights."""
    return Desk(User.objects.create_user("clerk", is_staff=True))


def last_event() -> Event:
    """What was written last."""
    return Event.objects.select_related("actor").latest("number")
