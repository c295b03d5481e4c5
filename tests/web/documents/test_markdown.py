"""Anchors of documents: headings, terms and codes."""

import pytest

from registry.web.documents.documents import DOCUMENTS
from registry.web.documents.markdown import anchors, parse
from tests.docs import markdown


@pytest.mark.parametrize("source", [document.source for document in DOCUMENTS])
def test_headings_have_the_anchors_of_code_hosts(source: str) -> None:
    text = markdown.read_document(source)
    assert markdown.anchors(text) <= anchors(parse(text))


def test_repeated_heading_has_a_number() -> None:
    assert anchors(parse("# Added\n\n## Added\n\n### Added")) == {"added", "added-1", "added-2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**build key**: a digest.", {"build-key"}),
        ("**Note** that this defines nothing: at all.", set()),
        ("Not the **first word**: no term.", set()),
        ("| code | text |\n|---|---|\n| `TAG_UNKNOWN` | no such tag |", {"TAG_UNKNOWN"}),
        ("| route | text |\n|---|---|\n| `resolve` | lower case |", set()),
        ("| code | text |\n|---|---|\n| `YANKED` or not | more than a code |", set()),
    ],
)
def test_terms_and_codes_have_anchors(text: str, expected: set[str]) -> None:
    assert anchors(parse(text)) == expected
