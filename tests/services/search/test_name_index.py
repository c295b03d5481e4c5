"""Names found by people who do not spell them as the registry does."""

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


def held(query: str) -> set[str]:
    return set(name_index.names_containing(query).values_list("text", flat=True))


@pytest.mark.parametrize(
    "query",
    [
        *("geforce-rtx-4090", "RTX 4090", "rtx4090", "rtx_4090", "GeForce RTX 4090", "RTX,4090"),
        *("4090 rtx geforce", "nvidia/geforce-rtx-4090", "force rtx", "r t x 4 0 9"),
    ],
)
def test_case_separators_order_and_borders_of_letters_and_digits_fold(query: str) -> None:
    assert "nvidia/geforce-rtx-4090" in held(query)


@pytest.mark.parametrize("query", ["a", "c4", "2x", "ge", "titan", "1080", "nvidia/a"])
def test_all_names_that_hold_a_query_are_found_and_no_other(query: str) -> None:
    folded = "".join(name_index.query_words(query))
    words = name_index.query_words(query)
    every = Name.objects.values_list("text", "folded")
    expected = {text for text, whole in every if all(word in whole for word in words)}
    assert held(query) == expected
    assert expected
    assert folded


@pytest.mark.parametrize("few", [0, 1, 10**9])
def test_the_same_names_are_found_whether_they_are_looked_up_or_looked_through(
    monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    expected = held("rtx 40"), held("c4"), held("geforce")
    monkeypatch.setattr(name_index, "MAX_INDEXED", few)
    assert (held("rtx 40"), held("c4"), held("geforce")) == expected


@pytest.mark.parametrize(
    "query", ["", "   ", "///", "\x00", "日本", "%", "_", "\\", "x" * 5000, "qz", "rtx qqq"]
)
def test_query_without_letters_or_match_finds_nothing(query: str) -> None:
    assert held(query) == set()


def test_a_long_query_is_cut() -> None:
    assert name_index.query_words("ab " * 1000) == ("ab",) * name_index.MAX_WORDS
    assert name_index.query_words("x" * 5000) == ("x" * name_index.MAX_QUERY,)


@pytest.mark.parametrize("query", ["titan", "titan rtx", "nvidia geforce rtx 4090"])
def test_one_query_besides_its_own(query: str) -> None:
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
def test_rank(query: str, name: str, rank: int) -> None:
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
def test_typos_find_near_names(text: str, expected: str) -> None:
    assert name_index.similar_tags(text)[0] == expected


@pytest.mark.parametrize("text", ["", "qqqq/zzzz", "radeon", "\x00", "%", "日本"])
def test_nothing_is_near_to_what_resembles_no_name(text: str) -> None:
    assert name_index.similar_tags(text) == ()


def test_near_names_are_few_tags_each_once() -> None:
    near = name_index.similar_tags("nvidia/geforce")
    assert len(near) == len(set(near)) == name_index.MAX_SIMILAR


def test_where_grams_are_common_only_the_rarest_are_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(name_index, "MAX_POSTINGS", 1)
    assert name_index.similar_tags("nvidia/jetson-nanno")[0] == "nvidia/jetson-nano"
    monkeypatch.setattr(name_index, "MAX_CANDIDATES", 1)
    assert len(name_index.similar_tags("nvidia/geforce")) <= 1


def test_near_names_take_three_queries() -> None:
    with CaptureQueriesContext(connection) as captured:
        name_index.similar_tags("gefroce rtx 4090")
    assert len(captured) == 3


@pytest.mark.usefixtures("acme")
def test_new_names_are_entered_and_counted(alice: User) -> None:
    publish("acme/zzyzx", BOARD)
    aliases.point_alias("acme/Zzyzx,2", Reference.parse("acme/zzyzx"), actor=Actor.operator(alice))
    aliases.point_alias(
        "acme/Zzyzx,2", Reference.parse("acme/zzyzx@1"), actor=Actor.operator(alice)
    )
    assert held("zzyzx") == {"acme/zzyzx", "acme/Zzyzx,2"}
    assert GramCount.objects.get(text="zyz").names == 2
    for name in Name.objects.filter(tag__text="acme/zzyzx"):
        assert set(name.grams.values_list("text", flat=True)) == trigrams(name.folded)


@pytest.mark.usefixtures("acme")
def test_counting_anew_changes_nothing() -> None:
    publish("acme/zzyzx", BOARD)
    before = dict(GramCount.objects.values_list("text", "names"))
    assert sum(before.values()) == Gram.objects.count()
    name_index.rebuild_counts()
    assert dict(GramCount.objects.values_list("text", "names")) == before
