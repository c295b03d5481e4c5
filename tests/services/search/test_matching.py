"""Which tags match the words of a search."""

from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference
from registry.domain.search.conditions import parse_conditions
from registry.models import Namespace, Tag, User
from registry.services.core.permissions import Actor
from registry.services.search import matching
from registry.services.search.filters import attributes_matching, entries_with_facts
from registry.services.search.matching import Matches, find_matches
from registry.services.search.query_reading import read_query
from registry.services.tags import aliases
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}
CARD = {
    "kind": "cuda",
    "arch": "sm_89",
    "host": CPU,
    "hardware": {
        "vendor": "Zyxel Corp",
        "model": "Blaster 9",
        "family": "Zorro",
        "category": "gpu",
    },
}


def find(text: str, *filters: QuerySet[Any], limit: int = 100) -> Matches:
    return find_matches(read_query(text), filters, limit)


def names(matches: Matches) -> set[str]:
    return set(Tag.objects.filter(pk__in=matches.tags).values_list("text", flat=True))


@pytest.mark.parametrize(
    "text",
    [
        *("acme/zap-9000", "zap 9000", "ZAP9000", "9000 zap", "zap", "acme zap"),
        *("zyxel", "Zyxel Corp", "blaster", "blaster 9", "BLASTER9", "zorro", "zap blaster zyxel"),
        *("zap cuda", "zap sm_89", "zap sm89", "zap gpu", "zap haswell", "zap x86-64", "zap llvm"),
        *("blastre", "zyxle zap", "zap zorr", "zaps", "acme zap 9000 gpu"),
    ],
)
def test_words_are_found_wherever_they_stand(text: str) -> None:
    publish("acme/zap-9000", CARD, message="A marvellous card")
    matches = find(text)
    assert names(matches) == {"acme/zap-9000"}
    assert matches.ignored == ()


def test_words_of_messages_do_not_match() -> None:
    publish("acme/zap-9000", CARD, message="A marvellous card, unlike a zap-8000")
    assert names(find("marvellous")) == names(find("zap 8000")) == set()


def test_letters_that_no_tag_has_are_ignored_beside_a_product() -> None:
    publish("acme/zap-9000", CARD)
    matches = find("zap 9000 qqqq")
    assert (names(matches), matches.ignored) == ({"acme/zap-9000"}, ("qqqq",))
    assert [word.text for word in matches.words] == ["zap", "9000"]


@pytest.mark.parametrize(
    "text",
    [
        *("zap 9001", "zap 9000 ti", "zap 9000x", "zap 900", "zap 98765", "9000 iphone"),
        *("gaudi zap 9000", "zap qqqq", "blaster 8", "blaster zap 5", "zap-9000 avx2 haswell"),
    ],
)
def test_another_machine_is_no_match(text: str) -> None:
    publish("acme/zap-9000", CARD)
    publish("acme/zip-5", {"kind": "llvm", "mcpu": "haswell", "mattr": ["+avx2"]})
    assert names(find(text)) == set()


def test_versions_and_interfaces_are_ignored_unless_a_name_has_them() -> None:
    publish("acme/zap-9000-hbm3", CARD)
    matches = find("zap 9000 hbm3 cuda 12.4")
    assert (names(matches), matches.ignored) == ({"acme/zap-9000-hbm3"}, ("cuda 12.4",))


def test_a_beginning_with_digits_finds_a_group() -> None:
    publish("acme/zap-9000", CARD)
    publish("acme/zap-9000x", CARD)
    publish("acme/zap-9100", CARD)
    for text, beginning, count in (
        ("zap 90", "zap 90", 2),
        ("zap9", "zap9", 3),
        ("zap 900", "", 0),
    ):
        matches = find(text)
        assert (matches.beginning, len(matches.tags)) == (beginning, count)
    assert find("zap 9000").beginning == ""


def test_nothing_is_ignored_without_a_match() -> None:
    matches = find("qqqq")
    assert (matches.tags, matches.words, matches.ignored) == ({}, (), ())


def test_an_alias_is_a_name_of_the_tag_that_it_points_at(alice: User) -> None:
    publish("acme/zap-9000", CARD)
    publish("acme/zip", CPU)
    actor = Actor.operator(alice)
    aliases.point_alias("acme/wonder", Reference.parse("acme/zap-9000"), actor=actor)
    assert names(find("wonder")) == {"acme/zap-9000"}
    aliases.point_alias("acme/wonder", Reference.parse("acme/zip"), actor=actor)
    assert names(find("wonder")) == {"acme/zip"}
    aliases.point_alias("acme/wonder", Reference.parse("acme/zip@1"), actor=actor)
    assert names(find("wonder")) == {"acme/zip"}


def test_a_yanked_tag_is_only_found_by_its_name() -> None:
    publish("acme/zap-9000", CARD)
    yank("acme/zap-9000@1.0.0")
    assert names(find("zap")) == {"acme/zap-9000"}
    assert names(find("zorro")) == set()


@pytest.fixture
def boards(acme: Namespace) -> None:
    for number in range(12):
        publish(f"acme/zap-{number}", CPU | {"num-cores": number % 3 + 1})


def filters(*conditions: str, **facts: str) -> Iterable[QuerySet[Any]]:
    yield entries_with_facts(facts)
    yield from map(attributes_matching, parse_conditions(conditions))


LIMITS = [
    (matching, "BATCH", 5),
    (matching, "MAX_EXAMINED", 1),
    (matching, "MAX_LEADING", 0),
    (matching, "MAX_SMALL", 0),
]


@pytest.mark.usefixtures("boards")
@pytest.mark.parametrize(("module", "limit", "value"), LIMITS)
def test_all_ways_of_matching_find_the_same_tags(
    module: ModuleType, limit: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {f"acme/zap-{number}" for number in (2, 5, 8, 11)}
    monkeypatch.setattr(module, limit, value)
    found = find("zap haswell", *filters("num-cores=3", namespace="acme"))
    assert names(found) <= wanted
    assert names(found) == wanted or found.is_capped
    assert names(find("zap 7")) == {"acme/zap-7"}
    assert names(find("zap", *filters(namespace="nvidia"))) == set()


@pytest.mark.usefixtures("boards")
def test_words_that_seldom_stand_together_are_found_beyond_the_first_tags(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish("acme/zoo", {"kind": "llvm", "mcpu": "znver4", "mattr": ["+zap"]})
    monkeypatch.setattr(matching, "MAX_EXAMINED", 1)
    matches = find("zap znver4")
    assert (names(matches), matches.is_capped) == ({"acme/zoo"}, True)
    matches = find("zap", *filters("mcpu=znver4", namespace="acme"))
    assert names(matches) == {"acme/zoo"}


@pytest.mark.usefixtures("boards")
def test_number_of_matches_is_limited() -> None:
    few, all_tags = find("zap", limit=5), find("zap", limit=12)
    assert (len(few.tags), few.is_capped) == (5, True)
    assert (len(all_tags.tags), all_tags.is_capped) == (12, False)


@pytest.mark.parametrize(("text", "queries"), [("zap-1", 3), ("acme board", 3)])
def test_number_of_queries_depends_only_on_the_words(text: str, queries: int) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            find(text)
        return len(captured)

    publish("acme/board-zap-1", CPU)
    few = count_queries()
    for number in range(2, 10):
        publish(f"acme/board-{number}", CPU)
    assert (few, count_queries()) == (queries, queries)
