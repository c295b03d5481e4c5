"""What tests of the form for hardware profiles share."""

import html
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.services.kinds import kinds

Fields = dict[str, str]


class _Read(HTMLParser):
    """The fields of the form `profile`, or of the first step, as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self.inside = False
        self.textarea = self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("method") == "post"
        if not self.inside:
            return
        name = given.get("name", "")
        if tag == "textarea":
            self.textarea, self.fields[name] = name, ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and ("selected" in given or self.select not in self.fields):
            self.fields[self.select] = given.get("value", "")
        elif tag == "input" and (given.get("type") != "radio" or "checked" in given):
            self.fields[name] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea":
            self.fields[self.textarea] = self.fields[self.textarea].removeprefix("\n")
            self.textarea = ""

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.fields[self.textarea] += data


class Sheet:
    """An answer with a form in it, as a test reads it."""

    def __init__(self, response: Any, queries: int) -> None:
        self.response = response
        self.queries = queries
        self.status = response.status_code
        self.html = response.content.decode()
        read = _Read()
        read.feed(self.html)
        self.fields = read.fields

    @property
    def text(self) -> str:
        """What stands in the main part, without its markup."""
        text = re.sub(r"<[^>]*>", " ", self.html.partition("<main ")[2])
        return re.sub(r"\s+", " ", html.unescape(text))

    @property
    def told(self) -> str:
        """What stands in the summary of problems."""
        found = re.search(r'role="alert" id="refused">(.*?)</div>', self.html, re.DOTALL)
        return (
            re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", found[1]))) if found else ""
        )

    @property
    def step(self) -> str:
        """The step that is marked."""
        found = re.search(r'aria-current="step">.*?</span> ([^<]*)', self.html)
        return found[1].strip() if found else ""

    @property
    def action(self) -> str:
        """Where the form goes."""
        found = re.search(r'<form method="post" action="([^"]*)"', self.html)
        return found[1] if found else ""

    @property
    def links(self) -> list[str]:
        """Where the page leads."""
        return re.findall(r'<a\b[^>]*\bhref="([^"]*)"', self.html)


class Desk:
    """Somebody at the form, who types and presses buttons."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def open(self, path: str = "/submit") -> Sheet:
        """Look at a page."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(path)
        return Sheet(response, len(queries))

    def begin(self, tag: str, **asked: str) -> Sheet:
        """The first step."""
        return self.send({"tag": tag, "do": "begin", **asked})

    def press(self, sheet: Sheet, do: str, /, **typed: str) -> Sheet:
        """Type into a form as it stands, then press a button of it."""
        return self.send({**sheet.fields, **typed, "do": do}, sheet.action)

    def send(self, fields: Fields, path: str = "/submit", **extra: Any) -> Sheet:
        """POST fields."""
        with CaptureQueriesContext(connection) as queries:
            response = self.client.post(path, fields, **extra)
        return Sheet(response, len(queries))

    def json(self, tag: str, body: str, do: str = "check", /, **typed: str) -> Sheet:
        """POST a body as JSON."""
        return self.send({"tag": tag, "face": "json", "body": body, "do": do, **typed})


@pytest.fixture
def desk(client: Client, db: None) -> Desk:
    """Nobody, at the form. Schemas are compiled by then, as they are once in each process."""
    kinds.current_kinds()
    return Desk(client)
