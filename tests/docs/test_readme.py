"""The README's commands produce the output it shows, and its table lists all settings."""

import ast
import re
from io import StringIO

import pytest
from django.core.management import call_command

from tests.docs import exchange, markdown
from tests.docs.markdown import ROOT

README = markdown.read_document("README.md")
MANAGE = [".venv/bin/python", "manage.py"]
READ = re.compile(r"\bos\.(environ(?!\.setdefault)|getenv)")
READERS = {
    "text",
    "sender",
    "flag",
    "comma_separated",
    "positive_count",
    "count",
    "choice",
    "rate",
}  # of registry/environment.py


class Reader:
    """Runs every command in order and compares its output."""

    def __init__(self) -> None:
        self.token = ""
        self.count = 0

    def run(self, command: list[str], example: str) -> None:
        match command:
            case ["make", target]:
                assert re.search(rf"^{target}:", markdown.read_document("Makefile"), re.MULTILINE)
            case ["export", assignment]:
                assert assignment == "TOKEN=ttr_…"
            case ["curl", *words]:
                self.send(exchange.parse_curl(words), example)
            case [python, manage, *words]:
                assert [python, manage] == MANAGE
                self.manage(words, example)
        self.count += 1

    def send(self, request: exchange.Request, example: str) -> None:
        assert example, f"a response follows {request.path}"
        response = request.send(self.token)
        messages = exchange.body_differences(example, response)
        assert response.status_code < 300, request.path
        assert not messages, "\n".join([request.path, *messages])

    def manage(self, words: list[str], example: str) -> None:
        out = StringIO()
        call_command(*words, stdout=out)
        assert not list(
            exchange.value_differences(example.splitlines(), out.getvalue().splitlines())
        )
        self.token = re.findall(r"ttr_\S+", out.getvalue())[0]


@pytest.mark.django_db
def test_commands_produce_their_output() -> None:
    reader = Reader()
    blocks = markdown.blocks(README)
    for block, next_block in zip(blocks, [*blocks[1:], markdown.Block("", "")], strict=True):
        if block.language != "sh":
            continue
        example = next_block.text if next_block.language in ("json", "text") else ""
        for command in exchange.split_commands(block.text):
            reader.run(command, example)
    assert reader.count >= 8, "the README has commands"
    assert reader.token


def settings_read() -> set[str]:
    """Return the environment variables that the settings read."""
    variables: set[str] = set()
    for path in ("registry/settings.py", "registry/environment.py"):
        for node in ast.walk(ast.parse(markdown.read_document(path))):
            match node:
                case ast.Call(func=ast.Name(id=reader), args=[ast.Constant(value=str(name)), *_]):
                    variables |= {name} if reader in READERS else set()
    return variables


def test_every_setting_is_documented() -> None:
    documented = {row[0].strip("`") for row in markdown.section("README.md", "Settings").rows}
    assert documented == settings_read()


def test_environment_is_read_in_one_module() -> None:
    readers = {path for path in (ROOT / "registry").rglob("*.py") if READ.search(path.read_text())}
    assert {path.name for path in readers} == {"environment.py"}


def test_make_variables_are_documented() -> None:
    variables = set(re.findall(r"^(\w+) \?=", markdown.read_document("Makefile"), re.MULTILINE))
    assert variables <= set(markdown.code_spans(markdown.section("README.md", "Settings").text))
