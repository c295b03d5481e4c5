"""The words of a search and the terms that they match."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.search.search_terms import TermField, weight
from registry.services.search import query_terms, spelling
from registry.services.search.query_terms import Word, read_query

pytestmark = pytest.mark.django_db


def words(text: str) -> list[str]:
    return [word.text for word in read_query(text).words]


def only_word(text: str) -> Word:
    (word,) = read_query(text).words
    return word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RTX 4090", ["rtx", "4090"]),
        ("rtx4090", ["rtx4090"]),
        ("cortex-m7", ["cortexm7"]),  # one word, because tags have it
        ("haswell-4090", ["haswell", "4090"]),
        ("sm_89", ["sm89"]),
        ("NVIDIA(R) Jetson(TM) Nano™", ["nvidia", "jetson", "nano"]),
        ("haswell CPU @ 2.50GHz", ["haswell", "cpu"]),
        ("llvm -mcpu=haswell", ["llvm", "haswell"]),
        ("target for the jetson", ["jetson"]),
        ("jetson jetson", ["jetson"]),
    ],
)
def test_words_are_read_without_what_is_pasted_around_them(text: str, expected: list[str]) -> None:
    assert [word for word in words(text) if word not in ("target", "cpu")] == [
        word for word in expected if word != "cpu"
    ]


@pytest.mark.parametrize("text", ["", "   ", "///", "\x00", "日本", "%", "_", "\\"])
def test_text_without_letters_and_digits_has_no_words(text: str) -> None:
    query = read_query(text)
    assert (query.words, query.unknown) == ((), ())


def test_words_that_no_tag_has_are_unknown() -> None:
    query = read_query("jetson qqqqq 98765")
    assert [word.text for word in query.words] == ["jetson"]
    assert query.unknown == ("qqqqq", "98765")


def test_long_text_is_truncated() -> None:
    assert len(words("nvidia geforce rtx 4090 jetson nano haswell cuda sm_89 llvm")) == 8
    assert read_query("x" * 5000).unknown == ("x" * query_terms.MAX_TERM,)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("nvida", "nvidia"),
        ("jetsn", "jetson"),
        ("haswel", "haswell"),
        ("gefroce", "geforce"),
        ("rtx4090x", "rtx4090"),
    ],
)
def test_words_are_completed_mended_or_shortened(text: str, term: str) -> None:
    word = only_word(text)
    assert term in word.counts
    assert word.tags == sum(word.counts.values()) > 0


def test_plural_and_singular_are_one() -> None:
    assert "gpu" in only_word("gpus").terms


def test_a_known_word_is_not_mended() -> None:
    word = only_word("jetson")
    assert (list(word.terms), word.is_corrected) == (["jetson"], False)


def test_a_word_stands_for_its_run_with_a_neighbour() -> None:
    first, second = read_query("jetson nano").words
    assert list(first.joined) == list(second.joined) == ["jetsonnano"]


@pytest.mark.parametrize("text", ["abc", "4091", "zzzzzz", "x" * 30])
def test_short_words_numbers_and_long_words_are_not_mended(text: str) -> None:
    assert read_query(text).words == ()


def test_a_word_that_many_tags_have_is_not_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    word = only_word("jets")
    assert "jetson" in word.completed
    assert word.completes_to("jetsam")
    monkeypatch.setattr(query_terms, "MAX_COMPLETED", 0)
    word = only_word("jetson")
    assert (word.completed, word.completes_to("jetsonnano")) == ({}, False)


def test_a_word_is_completed_to_the_terms_that_most_tags_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = list(only_word("g").completed.values())
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == query_terms.MAX_COMPLETIONS
    monkeypatch.setattr(query_terms, "MAX_COMPLETIONS", 2)
    assert list(only_word("g").completed.values()) == counts[:2]


def test_completed_and_mended_words_do_not_stand_for_words_of_messages() -> None:
    prose, name = weight(TermField.MESSAGE, 1), weight(TermField.WORD, 1)
    word = only_word("jets")
    assert (word.accepts("jetson", name), word.accepts("jetson", prose)) == (True, False)
    word = only_word("jetsn")
    assert (word.accepts("jetson", name), word.accepts("jetson", prose)) == (True, False)
    assert only_word("jetson").accepts("jetson", prose)


def test_a_misspelt_word_stands_for_few_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelling, "MAX_NEAR", 1)
    assert len(only_word("jetsn").terms) == 1


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("geforce rtx 4090", 2),  # the vocabulary, and completions
        ("jetsn", 5),  # and near words, with their numbers of tags and completions
        ("jetsn gefroce haswel stm32h743zi abc1234 qqqqq wwwww eeeee", 6),  # and shortened words
        ("a-b-" * 50, 2),
    ],
)
def test_number_of_queries_depends_only_on_the_words(text: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        read_query(text)
    assert len(captured) == queries
