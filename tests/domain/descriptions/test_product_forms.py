"""Forms of a product, told from other products whose names begin like its own."""

import pytest

from registry.domain.descriptions.product_forms import by_memory, forms
from registry.domain.search.peers import Peer

GIB = 2**30


@pytest.mark.parametrize(
    "rest",
    ["40gb", "sxm4-80gb", "80gb-pcie", "sxm-64gb", "nvl", "pcie", "80gb-hbm3", "ddr3", "gddr6x"],
)
def test_sizes_and_plugs_are_forms(rest: str) -> None:
    product = Peer(f"acme/a100-{rest}", {})
    assert forms(["acme/other", "acme/a100"], [product]) == [product]


@pytest.mark.parametrize(
    "tag",
    [
        "acme/a100x",
        "acme/a100",
        "acme/a1000-40gb",
        "acme/a100-laptop-gpu",
        "acme/a100-6gb-laptop-gpu",
        "acme/a100-super",
        "acme/a100-ti-16gb",
        "acme/a100-max-q",
        "acme/a100-",
        "other/a100-40gb",
    ],
)
def test_other_words_make_another_product(tag: str) -> None:
    assert forms(["acme/a100"], [Peer(tag, {})]) == []


def test_size_of_most_tags_comes_first() -> None:
    sizes = {"a": 64, "b": 80, "c": 40, "d": 40, "e": 80}
    peers = [Peer(f"acme/{name}", {"memory": size * GIB}) for name, size in sizes.items()]
    assert by_memory([*peers, Peer("acme/unknown", {})]) == [
        (40 * GIB, ["acme/c", "acme/d"]),
        (80 * GIB, ["acme/b", "acme/e"]),
        (64 * GIB, ["acme/a"]),
    ]
    assert by_memory([]) == []
