"""Products that no tag describes are listed with the reason."""

import pytest

from catalogue_tools import gaps


@pytest.mark.parametrize(
    "products",
    [
        ("Edge TPU", "Hailo-8", "Intel Gaudi 3"),  # without a code generator
        ("p5", "p4de", "trn2", "ND96isr_H200_v5"),  # types of clouds
        ("Dimensity 9400 and 9400+",),  # without a source
        ("Radeon RX 550", "GeForce 210"),  # chips that LLVM does not know
    ],
)
def test_products_that_people_look_for_are_listed_with_a_reason(products: tuple[str, ...]) -> None:
    listed = {item.product: item.reason for item in gaps.missing()}
    for product in products:
        assert any(listed[name] for name in listed if product in name), product
