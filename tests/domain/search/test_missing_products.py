"""Products that the catalogue is known not to have are found by their words."""

import pytest

from registry.domain.search.missing_products import MissingProducts, Series, series_of, stem_of

PRODUCTS = MissingProducts.of(
    {"product": product, "group": "Others", "reason": "nobody knows it"}
    for product in (
        "Acme Zap 3",
        "Acme Zap",
        "AWS q5, q5e and q5en",
        "RAM of acme/chip, acme/board",
        "Acme M1, M2: cores",
    )
)


def named(text: str, *, exactly: bool = False) -> list[str]:
    return [product.product for product in PRODUCTS.named(text, exactly=exactly)]


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("zap 3", ["Acme Zap 3"]),
        ("zap3", ["Acme Zap 3"]),
        ("my acme zap", ["Acme Zap", "Acme Zap 3"]),
        ("aws q5e", ["AWS q5, q5e and q5en"]),
        ("zap 4", []),
        ("zap 3 pro", []),
        ("", []),
    ],
)
def test_all_words_call_a_product(text: str, products: list[str]) -> None:
    assert named(text) == products


def test_an_exact_name_may_leave_out_its_maker() -> None:
    assert named("zap", exactly=True) == named("acme zap", exactly=True) == ["Acme Zap"]
    assert named("acme", exactly=True) == []


@pytest.mark.parametrize("text", ["chip", "board", "m1"])
def test_rows_about_facts_of_tags_are_no_products(text: str) -> None:
    assert named(text) == []


def test_words_are_those_without_digits() -> None:
    assert {"acme", "zap", "aws"} == PRODUCTS.words


@pytest.mark.parametrize(
    ("text", "word", "series"),
    [
        ("rtx 5095", "5095", Series("rtx", "50")),
        ("threadripper 5995wx", "5995wx", Series("threadripper", "59")),
        ("i7 12705h", "12705h", None),
        ("core i9", "i9", None),
        ("5095", "5095", None),
    ],
)
def test_a_series_is_a_word_with_the_first_digits(
    text: str, word: str, series: Series | None
) -> None:
    assert series_of(text, word) == series


def test_short_numbers_have_no_stem() -> None:
    assert [stem_of(word) for word in ("5095", "12700h", "99", "m1")] == ["50", "127", "", ""]
