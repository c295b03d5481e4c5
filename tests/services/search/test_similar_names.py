"""Finding tags with similar names."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.services.search import similar_names

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
    assert similar_names.similar_tags(text)[0] == expected


@pytest.mark.parametrize("text", ["", "qqqq/zzzz", "radeon", "\x00", "%", "日本"])
def test_unrelated_text_finds_nothing(text: str) -> None:
    assert similar_names.similar_tags(text) == ()


def test_similar_tags_are_few_and_distinct() -> None:
    similar = similar_names.similar_tags("nvidia/geforce")
    assert len(similar) == len(set(similar)) == similar_names.MAX_SIMILAR


def test_only_the_closest_names_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar_names, "MAX_CANDIDATES", 1)
    assert similar_names.similar_tags("nvidia/jetson-nanno") == ("nvidia/jetson-nano",)
    monkeypatch.setattr(similar_names, "MAX_SAMPLED", 1)
    assert len(similar_names.similar_tags("nvidia/geforce")) <= 1


def test_number_of_queries_depends_only_on_the_words() -> None:
    with CaptureQueriesContext(connection) as captured:
        similar_names.similar_tags("geforce rtx 4090")
    assert len(captured) == 10  # the vocabulary; for each word completions and tags; their names
