"""Fixtures for tests of the form for hardware profiles."""

import html
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.services.kinds import kinds

Fields = dict[str, str]


class FormParser(HTMLParser):
    """Parses the fields of the page's POST form as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self.is_inside = False
        self.textarea = self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.is_inside = values.get("method") == "post"
        if not self.is_inside:
            return
        name = values.get("name", "")
        if tag == "textarea":
            self.textarea, self.fields[name] = name, ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and ("selected" in values or self.select not in self.fields):
            self.fields[self.select] = values.get("value", "")
        elif tag == "input" and (values.get("type") != "radio" or "checked" in values):
            self.fields[name] = values.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        elif tag == "textarea":
            self.fields[self.textarea] = self.fields[self.textarea].removeprefix("\n")
            self.textarea = ""

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.fields[self.textarea] += data


class FormPage:
    """A response with the form, parsed for assertions."""

    def __init__(self, response: Any, queries: int) -> None:
        self.response = response
        self.queries = queries
        self.status = response.status_code
        self.html = response.content.decode()
        parser = FormParser()
        parser.feed(self.html)
        self.fields = parser.fields

    @property
    def text(self) -> str:
        """Return the text of the main part, without markup."""
        return _text(self.html.partition("<main ")[2])

    @property
    def errors(self) -> str:
        """Return the text of the error summary."""
        match = re.search(r'role="alert" id="refused">(.*?)</div>', self.html, re.DOTALL)
        return _text(match[1]) if match else ""

    @property
    def step(self) -> str:
        """Return the current step."""
        match = re.search(r'aria-current="step">.*?</span> ([^<]*)', self.html)
        return match[1].strip() if match else ""

    @property
    def action(self) -> str:
        """Return the URL that the form is sent to."""
        match = re.search(r'<form method="post" action="([^"]*)"', self.html)
        return match[1] if match else ""

    @property
    def links(self) -> list[str]:
        """Return the URLs of the page's links."""
        return re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)


def _text(markup: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", markup)))


class FormClient:
    """A client that fills in the form and presses its buttons."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def open(self, path: str = "/submit") -> FormPage:
        """Request a page."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(path)
        return FormPage(response, len(queries))

    def start(self, tag: str, **fields: str) -> FormPage:
        """Send the first step, and open the form that it leads to."""
        page = self.post({"tag": tag, "do": "continue", **fields})
        return self.open(page.response["Location"]) if page.status == 302 else page

    def press(self, page: FormPage, button: str, /, **fields: str) -> FormPage:
        """Change fields of a page's form and press a button."""
        return self.post({**page.fields, **fields, "do": button}, page.action)

    def post(self, fields: Fields, path: str = "/submit", **extra: Any) -> FormPage:
        """Post fields."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.post(path, fields, **extra)
        return FormPage(response, len(queries))

    def post_json(self, tag: str, body: str, button: str = "check", /, **fields: str) -> FormPage:
        """Post a body as JSON."""
        return self.post({"tag": tag, "mode": "json", "body": body, "do": button, **fields})


def _form_client(user: User) -> FormClient:
    client = Client()
    client.force_login(user)
    return FormClient(client)


@pytest.fixture
def form_client(client: Client, db: None) -> FormClient:
    """Return an anonymous client. Compiles the schemas, as happens once in each process."""
    kinds.current_kinds()
    return FormClient(client)


@pytest.fixture
def alice_client(alice: User) -> FormClient:
    """Return a client signed in as Alice."""
    return _form_client(alice)


@pytest.fixture
def bob_client(bob: User) -> FormClient:
    """Return a client signed in as Bob, who has no role."""
    return _form_client(bob)
