"""The README's commands produce the output it shows, and its table lists all settings."""

import ast
import re

import pytest

from tests.docs import markdown
from tests.docs.commands import Reader
from tests.docs.markdown import ROOT

README = markdown.read_document("README.md")
READ = re.compile(r"\bos\.(environ(?!\.setdefault)|getenv)")
READERS = {
    "caches",
    "contacts",
    "seconds",
    "instant",
    "log_origin",
    "signing_keys",
    "issuers",
    "origin",
    "page",
    "text",
    "sender",
    "flag",
    "comma_separated",
    "hosts",
    "positive_count",
    "count",
    "choice",
    "days",
    "rate",
}  # of registry/environment


@pytest.mark.django_db
def test_commands_produce_their_output() -> None:
    reader = Reader()
    reader.run_all(README)
    assert reader.count == len(re.findall("^(?:make|curl|.venv/bin/python) ", README, re.MULTILINE))
    assert reader.token


def settings_read() -> set[str]:
    """Return the environment variables that the settings read."""
    variables: set[str] = set()
    for path in (ROOT / "registry/settings.py", *(ROOT / "registry/database").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=reader), args=[ast.Constant(value=str(name)), *_]):
                    variables |= {name} if reader in READERS else set()
    return variables


def test_every_setting_is_documented() -> None:
    documented = {row[0].strip("`") for row in markdown.section("README.md", "Settings").rows}
    assert documented == settings_read()


def test_environment_is_read_in_one_module() -> None:
    readers = {path for path in (ROOT / "registry").rglob("*.py") if READ.search(path.read_text())}
    assert {path.name for path in readers} == {"variables.py"}


def test_make_variables_are_documented() -> None:
    variables = set(re.findall(r"^(\w+) \?=", markdown.read_document("Makefile"), re.MULTILINE))
    assert variables <= set(markdown.code_spans(markdown.section("README.md", "Settings").text))
