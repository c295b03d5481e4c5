"""Reasons stand beside the code: each decision is named there, or has no place."""

import re

from tests.docs import markdown

DECISIONS = markdown.ROOT / "docs/decisions"
CODE = ("registry", "client/ttag", "client/ttag_rules", "catalogue_tools", "tests")
FILES = ("Makefile", "pyproject.toml")
NAMED = re.compile(r"(?:[Dd]ecision |decisions/)0*([1-9]\d*)")
WITHOUT_A_PLACE = "docs/decisions/0129-the-event-log-in-one-room.md"


def named() -> set[int]:
    """Return the numbers of the decisions that code names."""
    paths = [path for folder in CODE for path in (markdown.ROOT / folder).rglob("*.py")]
    texts = [path.read_text() for path in (*paths, *(markdown.ROOT / name for name in FILES))]
    return {int(number) for text in texts for number in NAMED.findall(text)}


def without_a_place() -> set[int]:
    """Return the decisions that no line of code embodies."""
    return {int(row[0]) for row in markdown.section(WITHOUT_A_PLACE, "Decision").rows}


def test_each_decision_is_named_in_the_code_or_has_no_place() -> None:
    decisions = {int(path.name[:4]) for path in DECISIONS.glob("0*.md")}
    assert decisions - named() == without_a_place()
    assert named() <= decisions
