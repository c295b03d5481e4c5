"""docs/promises.md names a test for every promise, docs/discussion.md for every statement."""

import re
from pathlib import Path

import pytest

from registry.domain.keys import build_key, tuning
from tests.docs import markdown

ROOT = Path(__file__).parent.parent.parent
PAGE = markdown.read_document("docs/promises.md")
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
TESTS = NAMED_TEST.findall(PAGE)
STATEMENTS = markdown.rows(markdown.read_document("docs/discussion.md"))
TESTS_OF_STATEMENTS = [test for row in STATEMENTS for test in NAMED_TEST.findall(row[-1])]
POST = re.compile(r"-|\d+(-\d+)?(, \d+)*")
SHORTFALL = re.compile(r"\*\*(.+?)\*\*")
COMPILER_WITH_RELEASE = re.compile(r"(TVM|IREE|clang) .*\d+")
CHANGE = "If a definition has to change"
PROMISES = [
    section
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    if not section.startswith(CHANGE)
]


def test_some_tests_are_named() -> None:
    assert len(TESTS) > 20


@pytest.mark.parametrize(("path", "name"), sorted({*TESTS, *TESTS_OF_STATEMENTS}), ids=str)
def test_named_test_exists(path: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.splitlines()[0])
def test_every_promise_has_tests_and_limits(promise: str) -> None:
    assert "| held by | |" in promise
    assert re.search(r"^\| `tests/", promise, re.MULTILINE)
    assert re.search(r"^Not promised: ", promise, re.MULTILINE)


def test_the_change_of_a_definition_is_described_for_both_keys() -> None:
    change = PAGE.partition(f"## {CHANGE}")[2]
    assert tuning.SCHEME in change
    assert build_key.SCHEME in change


def test_the_statements_of_the_discussion_are_many() -> None:
    assert len(STATEMENTS) >= 50


@pytest.mark.parametrize("row", STATEMENTS, ids=lambda row: row[0])
def test_every_statement_has_a_post_an_outcome_and_tests(row: list[str]) -> None:
    statement, post, outcome, tests = row
    assert statement
    assert POST.fullmatch(post)
    assert all(COMPILER_WITH_RELEASE.match(text) for text in SHORTFALL.findall(outcome))
    assert NAMED_TEST.sub("", tests).strip(", ") == ""
    assert NAMED_TEST.search(tests)
