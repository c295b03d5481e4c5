"""docs/promises.md names a test for every promise."""

import re
from pathlib import Path

import pytest

from registry.domain.keys import build_key, tuning
from tests.docs import markdown

ROOT = Path(__file__).parent.parent.parent
PAGE = markdown.read_document("docs/promises.md")
TESTS = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)
CHANGE = "If a definition has to change"
PROMISES = [
    section
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    if not section.startswith(CHANGE)
]


def test_some_tests_are_named() -> None:
    assert len(TESTS) > 20


@pytest.mark.parametrize(("path", "name"), TESTS, ids=[name for _, name in TESTS])
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
