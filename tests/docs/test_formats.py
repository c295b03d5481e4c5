"""docs/formats.md, executed from top to bottom: requests, shell commands and the Python example."""

import io
import json
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from registry.domain.importers import IMPORTERS
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.docs import exchange, markdown
from tests.docs.tools import Response, run_script

PAGE = markdown.read_document("docs/formats.md")
SECTIONS = {section.title: section for section in markdown.sections(PAGE)}
IN_API_REFERENCE = {"json", "target"}  # formats described in docs/api.md
NAME = re.compile(r"\[?`([a-z-]+)`")
ADDRESS = re.compile(rf"'({exchange.ORIGIN}\S+)'")


class Reader:
    """Sends every request of the page, in order."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.requests = 0

    def run(self) -> None:
        texts = [block.text for block in markdown.blocks(PAGE) if block.language == "http"]
        for request, example in zip(texts[::2], texts[1::2], strict=True):
            response = exchange.parse_http(request).send(self.token)
            messages = exchange.response_differences(example, response)
            assert not messages, "\n".join([request.splitlines()[0], *messages])
            self.requests += 1

    def fetch(self, address: str) -> str:
        """Return the body of the response to a GET request."""
        response: Any = exchange.parse_curl([address]).send(self.token)
        assert response.status_code == 200, address
        text: str = response.content.decode()
        return text


@pytest.fixture
def reader(acme: Namespace, alice: User) -> Reader:
    token = tokens.issue_token(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    reader = Reader(token)
    reader.run()
    return reader


def table_names(title: str) -> set[str]:
    """Return the names in the first cells of a section's table."""
    matches = (NAME.match(row[0]) for row in SECTIONS[title].rows)
    return {match[1] for match in matches if match}


def test_every_format_and_importer_is_listed() -> None:
    assert table_names("Formats and importers") == EXPORT_FORMATS.keys()
    assert table_names("Convert between formats") == IMPORTERS.keys()


@pytest.mark.parametrize("name", sorted(EXPORT_FORMATS.keys() - IN_API_REFERENCE))
def test_every_format_has_a_section_with_an_example(name: str) -> None:
    paths = [exchange.parse_http(block.text).path for block in SECTIONS[name].blocks[:1]]
    assert [path for path in paths if f"format={name}" in path]


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_every_importer_has_a_section_with_an_example(name: str) -> None:
    first = exchange.parse_http(SECTIONS[f"Import {name}"].blocks[0].text)
    assert json.loads(first.body)["format"] == name


@pytest.mark.django_db
def test_requests_match_responses(reader: Reader) -> None:
    assert reader.requests == PAGE.count("```http") / 2


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["clang", "cmake", "hipcc", "iree", "nvcc"])
def test_tool_receives_the_response(reader: Reader, name: str, tmp_path: Path) -> None:
    (script,) = [block.text for block in SECTIONS[name].blocks if block.language == "sh"]
    texts = {address: reader.fetch(address) for address in ADDRESS.findall(script)}
    given = run_script(
        script, tmp_path, {address: Response(text) for address, text in texts.items()}
    )
    (response,) = set(texts.values())
    calls = given.rstrip("\n").split("\n\n")
    assert calls
    for call in calls:
        assert " ".join(response.split()) in " ".join(call.split())


@pytest.mark.django_db
def test_python_example(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    configured: list[dict[str, Any]] = []
    monkeypatch.setitem(sys.modules, "tvm", fake_tvm(configured))
    monkeypatch.setattr(
        "urllib.request.urlopen", lambda url: io.BytesIO(reader.fetch(url).encode())
    )
    (code,) = [block.text for block in SECTIONS["tvm"].blocks if block.language == "python"]
    example: dict[str, Any] = {}
    exec(code, example)  # noqa: S102 - code of the page
    assert example["target"].tag == "acme/edge@1.0.0"
    assert configured == [{"tirx.disable_vectorize": True}]
    assert example["origin"](example["target"]) == example["ask"](
        "acme/edge@1.0.0", format="target"
    )
    node = example["ask"]("example/vm-with-byoc", format="tvm", record=1, node="/devices/vdevice0")
    origin = example["origin"](SimpleNamespace(**node["target"]))
    assert origin["kind"] == "byoc"


def fake_tvm(configured: list[dict[str, Any]]) -> ModuleType:
    """Return a module with the parts of TVM that the page uses; tests/tvm runs the real one."""

    class PassContext:
        def __init__(self, config: dict[str, Any]) -> None:
            configured.append(config)

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    tvm = ModuleType("tvm")
    tvm.target = SimpleNamespace(Target=lambda config: SimpleNamespace(**config))  # type: ignore[attr-defined]
    tvm.transform = SimpleNamespace(PassContext=PassContext)  # type: ignore[attr-defined]
    return tvm
