"""Finding tags with similar names."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Namespace
from registry.services.search import near_names
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from tests.publishing import publish

pytestmark = pytest.mark.django_db


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
    assert near_names.similar_tags(text)[0] == expected


@pytest.mark.parametrize("text", ["", "qqqq/zzzz", "radeon", "\x00", "%", "日本"])
def test_unrelated_text_finds_nothing(text: str) -> None:
    assert near_names.similar_tags(text) == ()


@pytest.fixture
def instances(acme: Namespace) -> None:
    """Publish instances of many families in all sizes, and of p4d and t9 in few."""
    for family in ("c8gd", "c9gd", "m8gd", "p3", "r4d", "t8"):
        for size in (2, 4, 8, 12, 24, 48):
            publish(f"{acme.name}/{family}.{size}xlarge", {"kind": "llvm"})
    for name in ("p4d.24xlarge", "t9.2xlarge", "t9.large"):
        publish(f"{acme.name}/{name}", {"kind": "llvm"})


@pytest.mark.usefixtures("instances")
@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("p4d.48xlarge", ["acme/p4d.24xlarge", "acme/r4d.48xlarge"]),
        ("p4d.2xlarge", ["acme/p4d.24xlarge", "acme/r4d.2xlarge"]),
        ("t9.48xlarge", ["acme/t9.2xlarge", "acme/t9.large"]),
        ("r4d.24xlrage", ["acme/r4d.24xlarge", "acme/r4d.2xlarge"]),
    ],
)
def test_names_with_more_words_of_the_text_are_nearer(text: str, nearest: list[str]) -> None:
    assert list(near_names.similar_tags(text))[:2] == nearest
    results = search(SearchQuery(text))
    listed = [entry.text for entry in (*results.entries, *results.nearest)]
    assert listed[0] == nearest[0]
    assert results.entries or listed[:2] == nearest


def test_similar_tags_are_few_and_distinct() -> None:
    similar = near_names.similar_tags("nvidia/geforce")
    assert len(similar) == len(set(similar)) == near_names.MAX_SIMILAR


def test_only_the_closest_names_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_names, "MAX_CANDIDATES", 1)
    assert near_names.similar_tags("nvidia/jetson-nanno") == ("nvidia/jetson-nano",)
    monkeypatch.setattr(near_names, "MAX_SAMPLED", 1)
    assert len(near_names.similar_tags("nvidia/geforce")) <= 1


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("geforce rtx 4091", 4),  # the vocabulary and completions, tags, their names
        ("geforce rtx 4090", 4),  # and the tag that is called so
        ("jetsn gefroce haswel maxwel nvida geforc jetson1 stm32h743zi", 8),
        ("nvidia/" + "jetsn-gefroce-" * 12, 6),
    ],
)
def test_few_queries_are_enough_for_any_number_of_words(text: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        near_names.similar_tags(text)
    assert len(captured) == queries
