"""The glossary defines the terms of the project."""

import re
from itertools import pairwise

import pytest

from registry.domain.version_number import Bump
from tests.docs import markdown
from ttag_rules.nodes import COMPOSITES, STRUCTURE

GLOSSARY = markdown.read_document("docs/glossary.md")
TERMS = re.findall(r"^\*\*([^*]+)\*\*", GLOSSARY, re.MULTILINE)
REQUIRED = (
    *("namespace", "tag", "alias", "version", "reference", "selector", "variant", "body"),
    *("target", "node", "leaf", "kind", "mixin", "inherit", "override", "compose", "resolve"),
    *(
        "digest",
        "tuning key",
        "build key",
        "lineage",
        "provenance",
        "dependency",
        "publish",
        "yank",
    ),
    *("deprecate", "proposal", "curator", "fault", "lint", "edition", "draft"),
    *("family", "runs on", "baseline"),
)


@pytest.mark.parametrize("term", REQUIRED)
def test_term_is_defined(term: str) -> None:
    assert term in TERMS


def test_parts_of_a_body_are_defined() -> None:
    assert {*COMPOSITES, *STRUCTURE - {"devices"}} <= set(TERMS)


def test_every_bump_is_mentioned() -> None:
    assert set(Bump) <= set(markdown.code_spans(GLOSSARY))


def test_terms_are_unique_and_sorted() -> None:
    for first, second in pairwise(TERMS):
        assert first < second, (
            f"In docs/glossary.md, {first} comes after {before(first)}, "
            f"and {second} after {before(second)}."
        )


def before(term: str) -> str:
    """Return the term of the glossary after which another one belongs."""
    return max((other for other in TERMS if other < term), default="the introduction")
