"""Products that the catalogue is known not to have are found by their words."""

import pytest

from registry.domain.search.missing_products import MissingProducts

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
