"""Fixtures for tests of pages."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext


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
        text = re.sub(r"<[^>]*>", " ", self.html.partition("<main ")[2])
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
