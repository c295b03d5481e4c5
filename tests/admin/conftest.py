"""Clients of the admin, signed in as a superuser or as staff."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Event, User


class Page:
    """A page of the admin, with its text, links and rows."""

    def __init__(self, response: Any, queries: int) -> None:
        self.response = response
        self.status: int = response.status_code
        self.queries = queries
        self.html: str = response.content.decode()

    @property
    def text(self) -> str:
        """The text of the main part, without markup."""
        main = re.sub(r"<[^>]*>", " ", self.html.partition("<main ")[2].partition("</main>")[0])
        return re.sub(r"\s+", " ", html.unescape(main)).strip()

    @property
    def links(self) -> list[str]:
        """The targets of all links."""
        return [html.unescape(url) for url in re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)]

    @property
    def rows(self) -> list[str]:
        """The rows of a list, as text."""
        body = self.html.partition("<tbody>")[2].partition("</tbody>")[0]
        rows = body.split("</tr>")[:-1]
        return [
            re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", row))).strip() for row in rows
        ]


class AdminClient:
    """Django's client for pages below /admin/, signed in as a user."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.client = Client()
        self.client.force_login(user)

    def get(self, path: str, **query: str) -> Page:
        """Return a page."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(f"/admin/{path}", query)
        return Page(response, len(queries))

    def post(self, path: str, **data: Any) -> Page:
        """Submit a form and return the page that it redirects to."""
        return Page(self.client.post(f"/admin/{path}", data, follow=True), 0)


@pytest.fixture(scope="module")
def module_superuser(module_transaction: None) -> AdminClient:
    """A client of all tests of a module, signed in as the superuser `root`."""
    return AdminClient(User.objects.create_superuser("root"))


@pytest.fixture
def superuser(db: None) -> AdminClient:
    """A client signed in as the superuser `boss`."""
    return AdminClient(User.objects.create_superuser("boss", password="correct horse battery"))


@pytest.fixture
def staff(db: None) -> AdminClient:
    """A client signed in as `staff`, who is staff but not a superuser."""
    return AdminClient(User.objects.create_user("staff", is_staff=True))


def last_event() -> Event:
    """Return the newest event."""
    return Event.objects.select_related("actor").latest("number")
