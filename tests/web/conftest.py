"""Fixtures for tests of pages."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import User
from tests.publishing import publish
from tests.web.actions import CPU


class Page:
    """A response, parsed for assertions."""

    def __init__(self, path: str, client: Client) -> None:
        with CaptureQueriesContext(connection) as queries:
            self.response = client.get(path)
        self.queries = len(queries)
        self.status = self.response.status_code
        self.html = self.response.content.decode()

    @property
    def text(self) -> str:
        """Return the text of the main part, without markup."""
        main = re.sub(r'<button [^>]*class="term"[^>]*>([^<]*)</button>', r"\1", self.html)
        text = re.sub(r"<[^>]*>", " ", main.partition("<main ")[2])
        return re.sub(r"\s+", " ", html.unescape(text))

    @property
    def links(self) -> list[str]:
        """Return the URLs of the page's links."""
        return re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)


class Visitor:
    """A function that requests a page."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def __call__(self, path: str) -> Page:
        return Page(path, self.client)


@pytest.fixture
def visit(client: Client) -> Visitor:
    """Request a page."""
    return Visitor(client)


@pytest.fixture
def cpu_with_dependents(acme: object) -> None:
    """Publish cpu@1.0.0 and cpu@2.0.0, and two dependents of the newer one."""
    publish("acme/cpu", CPU)
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/strict", {"tag": "acme/cpu@2", "model": "y"})


@pytest.fixture
def owner(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client
