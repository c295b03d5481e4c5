"""docs/tuning.md, followed from top to bottom: it publishes, asks and keeps records."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from registry.models import Namespace, User
from registry.services import tokens
from registry.services.permissions import Actor, Scope
from tests.docs import exchange, markdown
from tests.docs.markdown import Section
from tests.publishing import publish

PAGE = markdown.read("docs/tuning.md")
TAG = "acme/vision"
PUBLISHED = 5  # cells of a row that publishes


class Reader:
    """Someone who publishes and asks what the page shows, in its order."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.body: dict[str, Any] = {}
        self.published: list[str] = []
        self.asked = 0

    def follow(self, section: Section) -> None:
        for block in section.blocks:
            if block.language == "json":
                self.body = json.loads(block.text)
        for row in section.rows:
            if len(row) == PUBLISHED:
                self.publish(*(cell.strip("`") for cell in row[:4]))
        texts = [block.text for block in section.blocks if block.language == "http"]
        for request, shown in zip(texts[::2], texts[1::2], strict=True):
            self.ask(request, shown)

    def publish(self, change: str, number: str, gpu: str, cpu: str) -> None:
        self.body |= json.loads(change)
        version = publish(TAG, self.body)
        assert str(version.number) == number
        assert not list(exchange.unlike({"": gpu, "/host": cpu}, json.loads(version.tuning_keys)))
        self.published.append(number)

    def ask(self, request: str, shown: str) -> None:
        answer = exchange.of_http(request).send(self.token)
        found = exchange.differences(shown, answer)
        assert not found, "\n".join([request.splitlines()[0], *found])
        self.asked += 1


@pytest.fixture
def reader(acme: Namespace, alice: User) -> Reader:
    token = tokens.issue(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    reader = Reader(token)
    for section in markdown.sections(PAGE):
        reader.follow(section)
    return reader


@pytest.mark.django_db
def test_what_the_page_publishes_and_asks(reader: Reader) -> None:
    assert reader.published == ["1.0.0", "1.1.0", "1.1.1", "2.0.0", "1.2.0", "3.0.0"]
    assert reader.asked == PAGE.count("```http") / 2


@pytest.mark.django_db
def test_records_are_kept_by_key(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def opened(url: str) -> io.BytesIO:
        answer: Any = exchange.Request("GET", url.removeprefix(exchange.ORIGIN)).send(reader.token)
        return io.BytesIO(answer.content)

    monkeypatch.setattr("urllib.request.urlopen", opened)
    monkeypatch.chdir(tmp_path)
    (code,) = [block.text for block in markdown.blocks(PAGE) if block.language == "python"]
    shown: dict[str, Any] = {}
    exec(code, shown)  # noqa: S102 - the page's own
    records = shown["records"]
    made = records(f"{TAG}@1.0.0")
    assert made.is_dir()
    assert made.name.startswith("tk1-")
    assert records(f"{TAG}@1") == made
    assert records(f"{TAG}@3") != made
    assert records(f"{TAG}@3", "/host") == records(f"{TAG}@1", "/host")
