"""Reasons stand beside the code, and decisions say what later ones supersede."""

import re

from tests.docs import markdown

DECISIONS = markdown.ROOT / "docs/decisions"
CODE = ("registry", "client/ttag", "client/ttag_rules", "catalogue_tools", "tests")
FILES = ("Makefile", "pyproject.toml")
NAMED = re.compile(r"(?:[Dd]ecision |decisions/)0*([1-9]\d*)")
LINK = re.compile(r"\((0\d{3})-[\w-]+\.md\)")
NOTE = re.compile(r"(?:since|until)\s\[decision\s\d+\]\((0\d{3})-", re.IGNORECASE)
LATER = re.compile(r"^(?:Supersedes|Replaces what|Moves what) (?:.+\n)+", re.MULTILINE)
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


def superseding() -> dict[int, set[int]]:
    """Return the later decisions that a record says supersede a part of it, by its number."""
    noted = {}
    for path in DECISIONS.glob("0*.md"):
        text = path.read_text()
        line = re.search(r"^Superseded in part: (?:.+\n)+", text, re.MULTILINE)
        found = [*LINK.findall(line[0] if line else ""), *NOTE.findall(text)]
        own = int(path.name[:4])
        noted[own] = {later for later in map(int, found) if later > own}
    return {number: later for number, later in noted.items() if later}


def test_rows_name_what_supersedes_a_decision() -> None:
    index = (DECISIONS / "README.md").read_text()
    rows = re.findall(r"^\| (\d+) \| .*; in part superseded by ([\d, ]+) \|$", index, re.MULTILINE)
    assert {int(number): {*map(int, later.split(", "))} for number, later in rows} == superseding()


def test_what_a_decision_supersedes_says_so() -> None:
    noted = superseding()
    for path in DECISIONS.glob("0*.md"):
        for earlier in LINK.findall("".join(LATER.findall(path.read_text()))):
            assert int(path.name[:4]) in noted[int(earlier)], f"{earlier} does not name {path.name}"
