"""The README's commands do what it shows; its settings are those that there are."""

import ast
import re
from io import StringIO

import pytest
from django.core.management import call_command

from tests.docs import exchange, markdown
from tests.docs.markdown import ROOT

README = markdown.read("README.md")
MANAGE = [".venv/bin/python", "manage.py"]
READ = re.compile(r"\bos\.(environ(?!\.setdefault)|getenv)")
READERS = {
    "text",
    "sender",
    "flag",
    "words",
    "positive",
    "count",
    "choice",
    "rate",
}  # of registry/environment.py


class Reader:
    """Someone who types in every command, one after the other, and compares."""

    def __init__(self) -> None:
        self.token = ""
        self.count = 0

    def follow(self, command: list[str], shown: str) -> None:
        match command:
            case ["make", target]:
                assert re.search(rf"^{target}:", markdown.read("Makefile"), re.MULTILINE)
            case ["export", assignment]:
                assert assignment == "TOKEN=ttr_…"
            case ["curl", *words]:
                self.ask(exchange.of_curl(words), shown)
            case [python, manage, *words]:
                assert [python, manage] == MANAGE
                self.manage(words, shown)
        self.count += 1

    def ask(self, request: exchange.Request, shown: str) -> None:
        assert shown, f"an answer follows {request.path}"
        answer = request.send(self.token)
        found = exchange.body_differences(shown, answer)
        assert answer.status_code < 300, request.path
        assert not found, "\n".join([request.path, *found])

    def manage(self, words: list[str], shown: str) -> None:
        out = StringIO()
        call_command(*words, stdout=out)
        assert not list(exchange.unlike(shown.splitlines(), out.getvalue().splitlines()))
        self.token = re.findall(r"ttr_\S+", out.getvalue())[0]


@pytest.mark.django_db
def test_commands() -> None:
    reader = Reader()
    blocks = markdown.blocks(README)
    for block, following in zip(blocks, [*blocks[1:], markdown.Block("", "")], strict=True):
        if block.language != "sh":
            continue
        shown = following.text if following.language in ("json", "text") else ""
        for command in exchange.commands(block.text):
            reader.follow(command, shown)
    assert reader.count >= 8, "the commands were found"
    assert reader.token


def settings_read() -> set[str]:
    """The variables that settings and environment ask for by name."""
    found: set[str] = set()
    for path in ("registry/settings.py", "registry/environment.py"):
        for node in ast.walk(ast.parse(markdown.read(path))):
            match node:
                case ast.Call(func=ast.Name(id=reader), args=[ast.Constant(value=str(name)), *_]):
                    found |= {name} if reader in READERS else set()
    return found


def test_every_setting_stands_in_the_table() -> None:
    shown = {row[0].strip("`") for row in markdown.section("README.md", "Settings").rows}
    assert shown == settings_read()


def test_no_setting_is_read_in_another_way() -> None:
    reading = {path for path in (ROOT / "registry").rglob("*.py") if READ.search(path.read_text())}
    assert {path.name for path in reading} == {"environment.py"}


def test_what_make_reads_is_named() -> None:
    variables = set(re.findall(r"^(\w+) \?=", markdown.read("Makefile"), re.MULTILINE))
    assert variables <= set(markdown.words(markdown.section("README.md", "Settings").text))
