"""Names found by people who do not spell them as the registry does."""

import pytest

from registry.services import searching

pytestmark = pytest.mark.django_db


def found(query: str) -> list[str]:
    return list(searching.matching(query).values_list("tag__text", flat=True))


@pytest.mark.parametrize(
    "query", ["geforce-rtx-4090", "RTX 4090", "rtx4090", "rtx_4090", "GeForce RTX 4090"]
)
def test_case_separators_and_borders_of_letters_and_digits_fold(query: str) -> None:
    assert "nvidia/geforce-rtx-4090" in found(query)


def test_exact_name_comes_first() -> None:
    assert found("nvidia/jetson-nano")[0] == "nvidia/jetson-nano"
    assert found("nvidia/jetson-nano:cuda")[0] == "nvidia/jetson-nano:cuda"


def test_grams_in_another_order_do_not_match() -> None:
    assert "nvidia/geforce-rtx-4090" not in found("4090 rtx geforce")


@pytest.mark.parametrize("query", ["c4", "a1", "m"])
def test_short_queries_find_by_how_grams_begin(query: str) -> None:
    assert all(query in tag.replace("-", "").replace(".", "") for tag in found(query))
    assert found(query)


@pytest.mark.parametrize("query", ["", "   ", "///", "\x00", "日本", "x" * 5000])
def test_query_without_letters_or_match_finds_nothing(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nvidia/rtx4090", "nvidia/geforce-rtx-4090"),
        ("nvidia/jetson-nan", "nvidia/jetson-nano"),
        ("arm/sco:aot", "arm/soc:aot"),
        ("aws/c4.4xlrage", "aws/c4.4xlarge"),
    ],
)
def test_typos_find_near_names(text: str, expected: str) -> None:
    assert expected in searching.near(text)


def test_near_names_are_few_and_none_for_nonsense() -> None:
    assert len(searching.near("nvidia/geforce")) <= 5
    assert searching.near("qqqq/zzzz") == ()
