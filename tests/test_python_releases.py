"""What differs between releases of Python, or is wrong in one of them, is not used."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("registry", "client/ttag", "client/ttag_rules", "catalogue_tools")
# Python 3.11.2, as in Debian 12, loses its place in the text where such a group matches in part.
# Atomic groups, `(?>...|)`, are right in every release. Decision 195.
POSSESSIVE_GROUP = re.compile(r"\)(?:[?*+]|\{\d*,?\d*\})\+")


@pytest.mark.parametrize("folder", PRODUCT)
def test_no_group_of_a_pattern_is_possessive(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for match in POSSESSIVE_GROUP.finditer(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("pattern", [r"(?:a|b)?+", r"(a\d)*+c", "(?:a){0,2}+"])
def test_possessive_groups_are_found(pattern: str) -> None:
    assert POSSESSIVE_GROUP.search(pattern)


@pytest.mark.parametrize(
    "pattern", [r"(?>a|b|)c", "[ab]?+", "a{0,2}+", r"\d++", "(a+)+", "f(x) + y"]
)
def test_other_patterns_are_not(pattern: str) -> None:
    assert not POSSESSIVE_GROUP.search(pattern)
