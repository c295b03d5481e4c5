"""Compact ranges against RFC 6962 itself, and published roots."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.event_log.merkle import CompactRange, complete_root, leaf_hash
from tests.domain.event_log.rfc6962 import mth

# Of the tests of Certificate Transparency: leaves, and the roots over the first 1, 2, 3 ... 8.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
leaves = st.lists(st.binary(max_size=4), max_size=70)


def tree(data: list[bytes]) -> CompactRange:
    return CompactRange().extend(map(leaf_hash, data))


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert tree(LEAVES[:size]).root.hex() == ROOTS[size - 1]


@given(leaves)
def test_root_is_that_of_rfc_6962(data: list[bytes]) -> None:
    assert tree(data).root == mth(data)


@given(leaves, leaves)
def test_extending_in_steps_gives_the_same_tree(first: list[bytes], second: list[bytes]) -> None:
    assert tree(first).extend(map(leaf_hash, second)) == tree(first + second)


@given(leaves)
def test_stored_range_is_read_back(data: list[bytes]) -> None:
    compact = tree(data)
    assert len(compact.hashes) == len(data).bit_count()
    assert CompactRange.decode(compact.size, compact.encode()) == compact


@pytest.mark.parametrize("height", range(7))
def test_root_of_a_complete_tree(height: int) -> None:
    data = [bytes([i]) for i in range(2**height)]
    assert complete_root(map(leaf_hash, data)) == mth(data)


@pytest.mark.parametrize(("size", "length"), [(0, 32), (1, 0), (3, 32), (3, 65), (4, 64)])
def test_damaged_range_is_rejected(size: int, length: int) -> None:
    with pytest.raises(ValueError, match=f"{length} bytes are no compact range of {size} leaves"):
        CompactRange.decode(size, bytes(length))


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40), st.data())
def test_another_leaf_gives_another_root(data: list[bytes], draw: st.DataObject) -> None:
    index = draw.draw(st.integers(0, len(data) - 1))
    changed = [*data]
    changed[index] += b"x"
    assert tree(changed).root != tree(data).root
    assert tree(data[:index] + data[index + 1 :]).root != tree(data).root
