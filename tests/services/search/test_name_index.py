"""Finding names despite spelling differences."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.name_folding import trigrams
from registry.domain.reference import Reference
from registry.models import Gram, GramCount, Name, User
from registry.services.core.permissions import Actor
from registry.services.search import name_index, ranking
from registry.services.search.ranking import (
    EXACT,
    INSIDE,
    PREFIXES,
    SAME_LETTERS,
    SAME_SUFFIX,
    WHOLE_WORDS,
)
from registry.services.tags import aliases
from tests.publishing import publish

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def matching_names(query: str) -> set[str]:
    return set(name_index.names_containing(query).values_list("text", flat=True))


@pytest.mark.parametrize(
    "query",
    [
        *("geforce-rtx-4090", "RTX 4090", "rtx4090", "rtx_4090", "GeForce RTX 4090", "RTX,4090"),
        *("4090 rtx geforce", "nvidia/geforce-rtx-4090", "force rtx", "r t x 4 0 9"),
    ],
)
def test_case_separators_and_word_order_do_not_matter(query: str) -> None:
    assert "nvidia/geforce-rtx-4090" in matching_names(query)


@pytest.mark.parametrize("query", ["a", "c4", "2x", "ge", "titan", "1080", "nvidia/a"])
def test_exactly_the_names_containing_a_query_are_found(query: str) -> None:
    folded = "".join(name_index.query_words(query))
    words = name_index.query_words(query)
    names = Name.objects.values_list("text", "folded")
    expected = {text for text, folded_name in names if all(word in folded_name for word in words)}
    assert matching_names(query) == expected
    assert expected
    assert folded


@pytest.mark.parametrize("limit", [0, 1, 10**9])
def test_index_lookup_and_full_scan_find_the_same_names(
    monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    expected = matching_names("rtx 40"), matching_names("c4"), matching_names("geforce")
    monkeypatch.setattr(name_index, "MAX_INDEXED", limit)
    assert (matching_names("rtx 40"), matching_names("c4"), matching_names("geforce")) == expected


@pytest.mark.parametrize(
    "query", ["", "   ", "///", "\x00", "日本", "%", "_", "\\", "x" * 5000, "qz", "rtx qqq"]
)
def test_query_without_letters_or_match_finds_nothing(query: str) -> None:
    assert matching_names(query) == set()


def test_long_query_is_truncated() -> None:
    assert name_index.query_words("ab " * 1000) == ("ab",) * name_index.MAX_WORDS
    assert name_index.query_words("x" * 5000) == ("x" * name_index.MAX_QUERY,)


@pytest.mark.parametrize("query", ["titan", "titan rtx", "nvidia geforce rtx 4090"])
def test_text_search_takes_two_queries(query: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        list(name_index.names_containing(query))
    assert len(captured) == 2


@pytest.mark.parametrize(
    ("query", "name", "rank"),
    [
        ("nvidia/a100", "nvidia/a100", EXACT),
        (" nvidia/a100 ", "nvidia/a100", EXACT),
        ("NVIDIA A100", "nvidia/a100", SAME_LETTERS),
        ("a100", "nvidia/a100", SAME_SUFFIX),
        ("c5.9xlarge", "aws/cpu/c5.9xlarge", SAME_SUFFIX),
        ("cpu c5 9xlarge", "aws/cpu/c5.9xlarge", SAME_SUFFIX),
        ("jetson-nano", "nvidia/jetson-nano:cuda", WHOLE_WORDS),
        ("nano cuda", "nvidia/jetson-nano:cuda", WHOLE_WORDS),
        ("rtx4090", "nvidia/geforce-rtx-4090", WHOLE_WORDS),
        ("m1", "apple/m1-gpu", WHOLE_WORDS),
        ("m1", "nvidia/quadro-m1200", PREFIXES),
        ("rtx 40", "nvidia/geforce-rtx-4090", PREFIXES),
        ("v100", "nvidia/quadro-gv100", INSIDE),
        ("x86", "nvidia/geforce-gtx-860m", INSIDE),
        ("nano force", "x/geforce-nano", INSIDE),
        ("an", "a/anban-an", WHOLE_WORDS),
    ],
)
def test_rank_of_a_match(query: str, name: str, rank: int) -> None:
    assert ranking.ranking(query)(name) == rank


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nvidia/jetson-nan", "nvidia/jetson-nano"),
        ("jetsn-nono", "nvidia/jetson-nano"),
        ("arm/sco:aot", "arm/soc:aot"),
        ("aws/c4.4xlrage", "aws/c4.4xlarge"),
        ("rtx-4009", "nvidia/geforce-rtx-4090"),
        ("gefroce rtx 4090", "nvidia/geforce-rtx-4090"),
        ("nvidia geforce rtx 4090 24gb", "nvidia/geforce-rtx-4090"),
        ("orni", "nvidia/jetson-orin-nano"),
        ("xaiver", "nvidia/jetson-agx-xavier"),
        ("nvdia a100", "nvidia/nvidia-a100"),
        ("orin nano 8gb", "nvidia/jetson-orin-nano"),
    ],
)
def test_typos_find_similar_names(text: str, expected: str) -> None:
    assert name_index.similar_tags(text)[0] == expected


@pytest.mark.parametrize("text", ["", "qqqq/zzzz", "radeon", "\x00", "%", "日本"])
def test_unrelated_text_finds_nothing(text: str) -> None:
    assert name_index.similar_tags(text) == ()


def test_similar_tags_are_few_and_distinct() -> None:
    similar = name_index.similar_tags("nvidia/geforce")
    assert len(similar) == len(set(similar)) == name_index.MAX_SIMILAR


def test_only_the_rarest_trigrams_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(name_index, "MAX_POSTINGS", 1)
    assert name_index.similar_tags("nvidia/jetson-nanno")[0] == "nvidia/jetson-nano"
    monkeypatch.setattr(name_index, "MAX_CANDIDATES", 1)
    assert len(name_index.similar_tags("nvidia/geforce")) <= 1


def test_similar_tags_take_three_queries() -> None:
    with CaptureQueriesContext(connection) as captured:
        name_index.similar_tags("gefroce rtx 4090")
    assert len(captured) == 3


@pytest.mark.usefixtures("acme")
def test_new_names_are_indexed_and_counted(alice: User) -> None:
    publish("acme/zzyzx", BOARD)
    aliases.point_alias("acme/Zzyzx,2", Reference.parse("acme/zzyzx"), actor=Actor.operator(alice))
    aliases.point_alias(
        "acme/Zzyzx,2", Reference.parse("acme/zzyzx@1"), actor=Actor.operator(alice)
    )
    assert matching_names("zzyzx") == {"acme/zzyzx", "acme/Zzyzx,2"}
    assert GramCount.objects.get(text="zyz").names == 2
    for name in Name.objects.filter(tag__text="acme/zzyzx"):
        assert set(name.grams.values_list("text", flat=True)) == trigrams(name.folded)


@pytest.mark.usefixtures("acme")
def test_rebuilding_counts_changes_nothing() -> None:
    publish("acme/zzyzx", BOARD)
    before = dict(GramCount.objects.values_list("text", "names"))
    assert sum(before.values()) == Gram.objects.count()
    name_index.rebuild_counts()
    assert dict(GramCount.objects.values_list("text", "names")) == before
