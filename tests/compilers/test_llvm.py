"""Triples are normalized as by the LLVM 22 that clang-22 is built on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import example, given

from registry.domain.document import parse_json
from tests.compilers.conftest import Normalizer
from tests.domain.formats.subjects import catalogue
from tests.rules.test_triple_normalization import NORMAL_FORMS, triples
from tests.rules.test_triples import TRIPLES
from ttag_rules.nodes import nodes
from ttag_rules.triple_normalization import normalize

CORPUS = Path(__file__).parent.parent / "domain" / "importers" / "corpus"


def triples_in(document: Any) -> Iterator[str]:
    """Yield every mtriple in a document."""
    if isinstance(document, dict):
        triple = document.get("mtriple")
        yield from [triple] if isinstance(triple, str) else []
        document = list(document.values())
    for item in document if isinstance(document, list) else ():
        yield from triples_in(item)


def catalogue_triples() -> set[str]:
    return {
        triple
        for subject in catalogue().values()
        for node in nodes(subject.target)
        for triple in triples_in(node.own)
    }


def corpus_triples() -> set[str]:
    """Return the triples of the bodies that importers read from public descriptions."""
    documents = [parse_json(path.read_text()) for path in sorted(CORPUS.glob("*.json"))]
    return set(triples_in(documents))


def test_the_catalogue_has_triples() -> None:
    assert len(catalogue_triples()) > 5


def test_triples_of_catalogue_corpus_and_tables_are_normalized_as_by_llvm(llvm: Normalizer) -> None:
    tables = {*NORMAL_FORMS, *(text for text, *_ in TRIPLES)}
    for text in sorted(catalogue_triples() | corpus_triples() | tables):
        assert normalize(text) == llvm(text), text


@example(text="a-linux-mingw32")
@example(text="windows-androideabi24")
@given(text=triples)
def test_generated_triples_are_normalized_as_by_llvm(llvm: Normalizer, text: str) -> None:
    assert normalize(text) == llvm(text)
