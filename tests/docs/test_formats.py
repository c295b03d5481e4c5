"""docs/formats.md, followed from top to bottom: asked, published, typed in and executed."""

import io
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from registry.domain.importers import IMPORTERS
from registry.models import Namespace, User
from registry.services import tokens
from registry.services.exporting import FORMS
from registry.services.permissions import Actor, Scope
from tests.docs import exchange, markdown

PAGE = markdown.read("docs/formats.md")
SECTIONS = {section.title: section for section in markdown.sections(PAGE)}
STORED = {"json", "target"}  # formats that docs/api.md shows
LINKED = re.compile(r"\[?`([a-z-]+)`")
ADDRESS = re.compile(rf"'({exchange.ORIGIN}\S+)'")

# What stands for curl: it hands out what the registry answered, to the one way in which it is used.
CURL = """\
#!{python}
import json, sys
from pathlib import Path
option, address = sys.argv[1:]
assert option == "-sf", option
sys.stdout.write(json.loads(Path({answers!r}).read_text())[address])
"""
# What stands for a compiler: it keeps each word that it is given, of a file what is in it.
COMPILER = """\
#!/bin/sh
for word; do
    case "$word" in
        @*) cat "${word#@}" ;;
        *=*.cmake) cat "${word#*=}" ;;
        *) printf '%s\\n' "$word" ;;
    esac
done >> given
echo >> given
"""


class Reader:
    """Someone who sends every request that the page shows, in its order."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.asked = 0

    def follow(self) -> None:
        texts = [block.text for block in markdown.blocks(PAGE) if block.language == "http"]
        for request, shown in zip(texts[::2], texts[1::2], strict=True):
            answer = exchange.of_http(request).send(self.token)
            found = exchange.differences(shown, answer)
            assert not found, "\n".join([request.splitlines()[0], *found])
            self.asked += 1

    def answer(self, address: str) -> str:
        """What the registry answers at an address of the page's."""
        response: Any = exchange.of_curl([address]).send(self.token)
        assert response.status_code == 200, address
        text: str = response.content.decode()
        return text


@pytest.fixture
def reader(acme: Namespace, alice: User) -> Reader:
    token = tokens.issue(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    reader = Reader(token)
    reader.follow()
    return reader


def named(title: str) -> set[str]:
    """The names in the first cells of a section's table."""
    matches = (LINKED.match(row[0]) for row in SECTIONS[title].rows)
    return {found[1] for found in matches if found}


def test_every_format_and_importer_stands_in_its_table() -> None:
    assert named("Formats and importers") == FORMS.keys()
    assert named("Convert between formats") == IMPORTERS.keys()


@pytest.mark.parametrize("name", sorted(FORMS.keys() - STORED))
def test_every_format_has_a_section_with_an_example(name: str) -> None:
    shown = [exchange.of_http(block.text).path for block in SECTIONS[name].blocks[:1]]
    assert [path for path in shown if f"format={name}" in path]


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_every_importer_has_a_section_with_an_example(name: str) -> None:
    first = exchange.of_http(SECTIONS[f"Import {name}"].blocks[0].text)
    assert json.loads(first.body)["format"] == name


@pytest.mark.django_db
def test_what_the_page_asks(reader: Reader) -> None:
    assert reader.asked == PAGE.count("```http") / 2


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["clang", "cmake", "iree"])
def test_the_tool_is_given_what_the_registry_answers(
    reader: Reader, name: str, tmp_path: Path
) -> None:
    (script,) = [block.text for block in SECTIONS[name].blocks if block.language == "sh"]
    answers = {address: reader.answer(address) for address in ADDRESS.findall(script)}
    kept = tmp_path / "answers"
    kept.write_text(json.dumps(answers))
    stand_in(tmp_path / "curl", CURL.format(python=sys.executable, answers=str(kept)))
    for tool in ("clang", "cmake", "iree-compile"):
        stand_in(tmp_path / tool, COMPILER)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["sh", "-eu", "-c", script], cwd=tmp_path, env={"PATH": path}, check=True)
    (answer,) = set(answers.values())
    calls = (tmp_path / "given").read_text().rstrip("\n").split("\n\n")
    assert calls
    for call in calls:
        assert " ".join(answer.split()) in " ".join(call.split())


def stand_in(path: Path, script: str) -> None:
    """Something that is run in the place of a tool."""
    path.write_text(script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.django_db
def test_what_python_makes_of_an_answer(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    configured: list[dict[str, Any]] = []
    monkeypatch.setitem(sys.modules, "tvm", stand_in_tvm(configured))
    monkeypatch.setattr(
        "urllib.request.urlopen", lambda url: io.BytesIO(reader.answer(url).encode())
    )
    (code,) = [block.text for block in SECTIONS["tvm"].blocks if block.language == "python"]
    shown: dict[str, Any] = {}
    exec(code, shown)  # noqa: S102 - the page's own
    assert shown["target"].tag == "acme/edge@1.0.0"
    assert configured == [{"tirx.disable_vectorize": True}]
    assert shown["origin"](shown["target"]) == shown["ask"]("acme/edge@1.0.0", format="target")
    node = shown["ask"]("example/vm-with-byoc", format="tvm", record=1, node="/devices/vdevice0")
    found = shown["origin"](SimpleNamespace(**node["target"]))
    assert found["kind"] == "byoc"


def stand_in_tvm(configured: list[dict[str, Any]]) -> ModuleType:
    """What the page uses of TVM; tests/tvm asks the real one."""

    class PassContext:
        def __init__(self, config: dict[str, Any]) -> None:
            configured.append(config)

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    tvm = ModuleType("tvm")
    tvm.target = SimpleNamespace(Target=lambda said: SimpleNamespace(**said))  # type: ignore[attr-defined]
    tvm.transform = SimpleNamespace(PassContext=PassContext)  # type: ignore[attr-defined]
    return tvm
