"""The glossary holds the words that the project is written in."""

import re

import pytest

from registry.domain.composition import COMPOSITES, STRUCTURE
from registry.domain.number import Bump
from tests.docs import markdown

GLOSSARY = markdown.read("docs/glossary.md")
TERMS = re.findall(r"^\*\*([^*]+)\*\*", GLOSSARY, re.MULTILINE)
WORDS = (
    *("namespace", "tag", "alias", "version", "reference", "selector", "variant", "body"),
    *("target", "node", "leaf", "kind", "mixin", "inherit", "override", "compose", "resolve"),
    *("digest", "tuning key", "lineage", "provenance", "dependency", "publish", "yank"),
    *("deprecate", "proposal", "curator", "fault", "lint", "edition", "draft"),
)


@pytest.mark.parametrize("word", WORDS)
def test_the_word_is_explained(word: str) -> None:
    assert word in TERMS


def test_what_the_code_structures_is_explained() -> None:
    assert {*COMPOSITES, *STRUCTURE - {"devices"}} <= set(TERMS)


def test_every_bump_is_explained() -> None:
    assert set(Bump) <= set(markdown.words(GLOSSARY))


def test_terms_stand_once_and_in_order() -> None:
    assert sorted(set(TERMS)) == TERMS
