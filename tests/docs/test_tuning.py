"""docs/tuning.md, executed from top to bottom: publications, requests and the Python example."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.docs import exchange, markdown
from tests.docs.markdown import Section
from tests.publishing import publish

PAGE = markdown.read_document("docs/tuning.md")
TAG = "acme/vision"
PUBLISHED = 5  # cells of a row that publishes


class Reader:
    """Publishes the versions and sends the requests of the page, in order."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.body: dict[str, Any] = {}
        self.published: list[str] = []
        self.requests = 0

    def run(self, section: Section) -> None:
        for block in section.blocks:
            if block.language == "json":
                self.body = json.loads(block.text)
        for row in section.rows:
            if len(row) == PUBLISHED:
                self.publish(*(cell.strip("`") for cell in row[:4]))
        texts = [block.text for block in section.blocks if block.language == "http"]
        for request, example in zip(texts[::2], texts[1::2], strict=True):
            self.send(request, example)

    def publish(self, change: str, number: str, gpu: str, cpu: str) -> None:
        self.body |= json.loads(change)
        version = publish(TAG, self.body)
        assert str(version.number) == number
        assert not list(
            exchange.value_differences({"": gpu, "/host": cpu}, json.loads(version.tuning_keys))
        )
        self.published.append(number)

    def send(self, request: str, example: str) -> None:
        response = exchange.parse_http(request).send(self.token)
        messages = exchange.response_differences(example, response)
        assert not messages, "\n".join([request.splitlines()[0], *messages])
        self.requests += 1


@pytest.fixture
def reader(acme: Namespace, alice: User) -> Reader:
    token = tokens.issue_token(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    reader = Reader(token)
    for section in markdown.sections(PAGE):
        reader.run(section)
    return reader


@pytest.mark.django_db
def test_publications_and_requests(reader: Reader) -> None:
    assert reader.published == ["1.0.0", "1.1.0", "1.1.1", "2.0.0", "1.2.0", "3.0.0"]
    assert reader.requests == PAGE.count("```http") / 2


@pytest.mark.django_db
def test_python_example_stores_records_by_key(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def open_url(url: str) -> io.BytesIO:
        response: Any = exchange.Request("GET", url.removeprefix(exchange.ORIGIN)).send(
            reader.token
        )
        return io.BytesIO(response.content)

    monkeypatch.setattr("urllib.request.urlopen", open_url)
    monkeypatch.chdir(tmp_path)
    (code,) = [block.text for block in markdown.blocks(PAGE) if block.language == "python"]
    example: dict[str, Any] = {}
    exec(code, example)  # noqa: S102 - code of the page
    records = example["records"]
    folder = records(f"{TAG}@1.0.0")
    assert folder.is_dir()
    assert folder.name.startswith("tk1-")
    assert records(f"{TAG}@1") == folder
    assert records(f"{TAG}@3") != folder
    assert records(f"{TAG}@3", "/host") == records(f"{TAG}@1", "/host")
