"""What tests of pages share."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext


class Page:
    """An answer as a test reads it."""

    def __init__(self, path: str, client: Client) -> None:
        with CaptureQueriesContext(connection) as queries:
            self.response = client.get(path)
        self.queries = len(queries)
        self.status = self.response.status_code
        self.html = self.response.content.decode()

    @property
    def text(self) -> str:
        """What stands in the main part, without its markup."""
        text = re.sub(r"<[^>]*>", " ", self.html.partition("<main ")[2])
        return re.sub(r"\s+", " ", html.unescape(text))

    @property
    def links(self) -> list[str]:
        """Where the page leads."""
        return re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)


class Visitor:
    """Somebody who reads pages."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def __call__(self, path: str) -> Page:
        return Page(path, self.client)


@pytest.fixture
def visit(client: Client) -> Visitor:
    """Ask for a page."""
    return Visitor(client)
