"""Proofs and tiles of the client, against RFC 6962 as its formulas stand there."""

import pytest
from hypothesis import given, strategies as st

from tests.client.log.ledger import Ledger
from tests.domain.event_log import rfc6962
from ttag.log import proofs
from ttag.log.tiles import Tile, read_node, tile_at, tiles_of
from ttag.log.tree import ReadHash, leaf_hash, range_root

LARGEST = 700  # leaves; three bundles, and tiles of two levels
LEAVES = [str(number).encode() for number in range(LARGEST)]
SIZES = st.integers(1, LARGEST) | st.sampled_from([1, 2, 255, 256, 257, 511, 512, 513])
CORRUPT = st.sampled_from(["flip", "drop", "add", "swap"])


def reader(size: int) -> ReadHash:
    """Return what reads the nodes of a tree from the tiles of an honest log."""
    ledger = Ledger(leaves=LEAVES[:size])
    tiles: dict[Tile, bytes] = {}

    def read_tile(tile: Tile) -> bytes:
        if tile not in tiles:
            data = ledger.file(tile.path)
            assert data is not None, f"a tree of {size} leaves has no {tile.path}"
            tiles[tile] = data
        return tiles[tile]

    return lambda height, index: read_node(height, index, size, read_tile)


@given(SIZES)
def test_root_from_tiles_is_that_of_the_formula(size: int) -> None:
    assert range_root(0, size, reader(size)) == rfc6962.mth(LEAVES[:size])


@given(st.data(), SIZES)
def test_inclusion_proof_is_that_of_the_formula(data: st.DataObject, size: int) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = proofs.inclusion_proof(index, size, reader(size))
    assert proof == rfc6962.path(index, LEAVES[:size])
    root = rfc6962.mth(LEAVES[:size])
    assert proofs.is_included(leaf_hash(LEAVES[index]), index, size, root, proof)
    other = data.draw(st.integers(0, size))
    assert other == index or not proofs.is_included(
        leaf_hash(LEAVES[index]), other, size, root, proof
    )
    assert not proofs.is_included(leaf_hash(b"another"), index, size, root, proof)


@given(st.data(), SIZES)
def test_consistency_proof_is_that_of_the_formula(data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(1, size))
    proof = proofs.consistency_proof(old, size, reader(size))
    assert proof == rfc6962.consistency(old, LEAVES[:size])
    old_root, root = rfc6962.mth(LEAVES[:old]), rfc6962.mth(LEAVES[:size])
    assert proofs.is_consistent(old, old_root, size, root, proof)
    rewritten = rfc6962.mth([b"another", *LEAVES[1:old]])
    assert not proofs.is_consistent(old, rewritten, size, root, proof)


def corrupted(proof: list[bytes], how: str, place: int) -> list[bytes]:
    place %= max(1, len(proof))
    match how:
        case "flip" if proof:
            return [*proof[:place], bytes(32), *proof[place + 1 :]]
        case "drop" if proof:
            return proof[:place] + proof[place + 1 :]
        case "swap" if len(proof) > 1:
            return [*proof[1:], proof[0]]
        case _:
            return [*proof[:place], bytes(32), *proof[place:]]


@given(st.data(), SIZES, CORRUPT, st.integers(0, 20))
def test_changed_proof_proves_nothing(data: st.DataObject, size: int, how: str, place: int) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaves, root = LEAVES[:size], rfc6962.mth(LEAVES[:size])
    wrong = corrupted(rfc6962.path(index, leaves), how, place)
    assert not proofs.is_included(leaf_hash(LEAVES[index]), index, size, root, wrong)
    old = index + 1
    wrong = corrupted(rfc6962.consistency(old, leaves), how, place)
    assert not proofs.is_consistent(old, rfc6962.mth(LEAVES[:old]), size, root, wrong)


@given(st.data(), SIZES)
def test_rewritten_tree_is_never_consistent(data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(1, size))
    place = data.draw(st.integers(0, old - 1))
    rewritten = [*LEAVES[:place], b"another", *LEAVES[place + 1 : size]]
    proof = rfc6962.consistency(old, rewritten)
    assert not proofs.is_consistent(
        old, rfc6962.mth(LEAVES[:old]), size, rfc6962.mth(rewritten), proof
    )


@pytest.mark.parametrize("sizes", [(-1, 5), (6, 5), (0, 5)])
def test_sizes_that_no_log_has_prove_nothing(sizes: tuple[int, int]) -> None:
    old, new = sizes
    root = rfc6962.mth(LEAVES[:new])
    assert not proofs.is_consistent(old, root, new, root, [root])
    assert not proofs.is_included(leaf_hash(b"0"), old, 0, root, [])


def test_every_tree_continues_the_empty_one() -> None:
    empty = rfc6962.mth([])
    assert proofs.is_consistent(0, empty, 3, rfc6962.mth(LEAVES[:3]), [])
    assert not proofs.is_consistent(0, empty, 3, rfc6962.mth(LEAVES[:3]), [empty])
    assert not proofs.is_consistent(0, rfc6962.mth(LEAVES[:1]), 3, rfc6962.mth(LEAVES[:3]), [])


@pytest.mark.parametrize(
    ("size", "paths"),
    [
        (0, []),
        (1, ["tile/0/000.p/1"]),
        (256, ["tile/0/000", "tile/1/000.p/1"]),
        (257, ["tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1"]),
    ],
)
def test_tiles_of_a_tree(size: int, paths: list[str]) -> None:
    assert [tile.path for tile in tiles_of(size)] == paths


def test_tree_of_70000_has_the_tiles_of_the_specification() -> None:
    tiles = list(tiles_of(70_000))
    assert [sum(tile.level == level and tile.is_full for tile in tiles) for level in range(3)] == [
        273,
        1,
        0,
    ]
    assert [tile.width for tile in tiles if not tile.is_full] == [112, 17, 1]
    assert tile_at(2, 0, 70_000).path == "tile/2/000.p/1"


@given(st.integers(0, 2**53))
def test_few_tiles_prove_that_a_huge_log_holds_an_event(size: int) -> None:
    requested: set[Tile] = set()

    def read(tile: Tile) -> bytes:
        requested.add(tile)
        return bytes(32 * tile.width)

    if size:
        proof = proofs.inclusion_proof(size // 2, size, lambda h, i: read_node(h, i, size, read))
        assert len(proof) <= 53
        assert len(requested) <= 14


@pytest.mark.parametrize("size", [1, 2, 4, 256])
def test_root_of_a_smaller_tree_is_not_that_of_a_larger_one(size: int) -> None:
    root = rfc6962.mth(LEAVES[:size])
    assert not proofs.is_consistent(size, root, size + 1, root, [])
    assert not proofs.is_consistent(size, root, size * 2, root, [])
    proof = rfc6962.path(0, LEAVES[:size])
    assert not proofs.is_included(leaf_hash(LEAVES[0]), 0, size * 2, root, proof)
