"""The words of a search and the terms that they match."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.search.search_terms import MAX_TERM
from registry.services.search import spelling, vocabulary
from registry.services.search.query_reading import read_query, with_groups
from registry.services.search.query_terms import Word

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


@pytest.mark.parametrize("text", ["", "   ", "///", "\x00", "%", "_", "\\"])
def test_text_without_letters_and_digits_has_no_words(text: str) -> None:
    query = read_query(text)
    assert (query.words, query.unknown) == ((), ())


def test_of_words_that_no_tag_has_those_with_digits_and_brands_decide() -> None:
    query = read_query("jetson qqqqq 98765 iphone")
    assert [word.text for word in query.words] == ["jetson"]
    assert query.unknown == ("qqqqq",)
    assert [word.text for word in query.lacking] == ["98765", "iphone"]


@pytest.mark.parametrize("text", ["mate 40", "qqqqq a5", "qqqqq jetson 5"])
def test_letters_before_a_short_number_belong_to_it(text: str) -> None:
    assert text.split(maxsplit=1)[0] in [word.text for word in read_query(text).lacking]


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("qqqqq f100", ["qqqqq", "f100"]),
        ("qqqqq wwwww 4090", ["qqqqq", "wwwww"]),
        ("qqqqq 4090ti", ["qqqqq", "4090ti"]),
        ("qqqqq-4090", ["qqqqq"]),
        ("nvidia qqqqq-4090", ["qqqqq"]),
        ("nvidia qqqqq 4090", []),
        ("geforce rtx 4090 qqqqq", []),
        ("4090 qqqqq", []),
        ("msi rtx 4090", []),
        ("qqqqq stm32h743", ["stm32h743"]),
        ("qqqqq-stm32h743", ["stm32h743"]),
        ("x86_64-qqqqq-linux-gnu", []),
    ],
)
def test_letters_before_a_number_that_makers_share_belong_to_it(
    text: str, lacking: list[str]
) -> None:
    """Decision 202: a Gionee F100 is no STM32F100, and a Matrox G200 no Moto G200."""
    assert [word.text for word in read_query(text).lacking] == lacking


@pytest.mark.parametrize(
    ("text", "is_mended"),
    [
        ("nvida", True),
        ("jetsn", True),
        ("jetsno", True),
        ("jitson", True),  # long enough for any typo
        ("netson", True),
        ("namo", False),
        ("nani", False),
        ("mano", False),
        ("jetson nani", True),
    ],
)
def test_a_short_lone_word_is_mended_only_if_a_letter_lacks_or_is_swapped(
    text: str, is_mended: bool
) -> None:
    assert any(word.is_corrected for word in read_query(text).words) is is_mended


def test_a_misspelt_brand_that_no_tag_has_is_not_mended() -> None:
    assert read_query("iphnoe").words == read_query("hailoo").words == ()


def test_long_text_is_truncated() -> None:
    assert len(words("nvidia geforce rtx 4090 jetson nano haswell cuda sm_89 llvm")) == 8
    assert read_query("x" * 5000).unknown == ("x" * MAX_TERM,)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("nvida", "nvidia"),
        ("jetsn", "jetson"),
        ("haswel", "haswell"),
        ("gefroce", "geforce"),
    ],
)
def test_words_are_mended_or_part_numbers_of_a_line(text: str, term: str) -> None:
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


def test_only_unknown_words_are_completed() -> None:
    word = only_word("jets")
    assert "jetson" in word.completed
    assert word.completes_to("jetsam")
    assert (only_word("jetson").completed, only_word("jetson").prefixes) == ({}, ())


@pytest.mark.parametrize(
    ("text", "term", "is_begun"),
    [
        ("rtx40", "rtx4090", True),
        ("rtx409", "rtx4090", False),
        ("gtx1080", "gtx1080ti", True),
        ("gtx1080t", "gtx1080ti", False),  # letters after a number are whole
        ("rtx40", "rtx4080super", True),
    ],
)
def test_a_number_is_begun_by_its_first_two_digits(text: str, term: str, is_begun: bool) -> None:
    query = with_groups(read_query(text)) or read_query(text)
    assert any(word.completes_to(term) for word in query.words) is is_begun


def test_while_somebody_types_the_last_word_may_go_on_in_any_way() -> None:
    (word,) = read_query("rtx409", completes_last=True).words
    assert "rtx4090" in word.completed
    assert word.completes_to("rtx4090")


def test_a_word_is_completed_to_the_terms_that_most_tags_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (word,) = read_query("ge", completes_last=True).words
    counts = list(word.completed.values())
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == vocabulary.MAX_COMPLETIONS
    monkeypatch.setattr(vocabulary, "MAX_COMPLETIONS", 2)
    (word,) = read_query("ge", completes_last=True).words
    assert list(word.completed.values()) == counts[:2]


def test_a_misspelt_word_stands_for_few_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelling, "MAX_NEAR", 1)
    assert len(only_word("jetsn").terms) == 1


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("geforce rtx 4090", 1),  # the vocabulary
        ("jetsn", 4),  # and completions, near words, and their numbers of tags
        ("jetsn gefroce haswel stm32h743zi abc1234 qqqqq wwwww eeeee", 4),
        ("a-b-" * 50, 1),
    ],
)
def test_number_of_queries_depends_only_on_the_words(text: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        read_query(text)
    assert len(captured) == queries


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("a1 a2 a3 a4 a5 a6 a7 a8", ()),
        ("a1 a2 a3 a4 a5 a6 a7 a8 a8 with a1", ()),  # again, or words that only rank
        ("a1 a2 a3 a4 a5 a6 a7 a8 a9", ("a9",)),
        ("a1-a2-a3-a4-a5-a6-a7-a8-a9 jetson", ("a9", "jetson")),
        (f"a1 {'a1 ' * 66}jetson", ("jetson",)),
    ],
)
def test_words_beyond_the_limits_are_named(text: str, unread: tuple[str, ...]) -> None:
    assert read_query(text).unread == unread
