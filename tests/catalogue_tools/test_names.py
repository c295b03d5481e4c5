"""Names of products become names of tags."""

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.names import slug
from ttag_rules.names import tag_problem


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("Radeon RX 7900 XTX", "radeon-rx-7900-xtx"),
        ("Xeon(R) Platinum 8480+", "xeon-platinum-8480-plus"),
        ("Snapdragon® 8+ Gen 1", "snapdragon-8-plus-gen-1"),
        ("c8g.4xlarge", "c8g.4xlarge"),
        ("Model A. (rev. 2)", "model-a-rev-2"),
        ("i.MX 8M Plus", "i.mx-8m-plus"),
    ],
)
def test_products_have_readable_names(product: str, name: str) -> None:
    assert slug(product) == name


@given(st.text(max_size=60))
def test_every_name_is_legal_or_empty(product: str) -> None:
    name = slug(product)
    assert name == "" or not tag_problem(f"vendor/{name}")


@given(st.text(max_size=60))
def test_a_name_is_its_own_name(product: str) -> None:
    assert slug(slug(product)) == slug(product)
