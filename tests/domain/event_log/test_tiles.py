"""Tiles: their paths, and which of them a tree has."""

import struct

import pytest
from hypothesis import given, strategies as st

from registry.domain.event_log.tiles import LEVELS, WIDTH, Tile, bundle, tiles_of

PATHS = {  # of the specification, and the edges
    "0/x001/x234/067": Tile(0, 1234067),
    "0/x001/x234/067.p/8": Tile(0, 1234067, 8),
    "0/000": Tile(0, 0),
    "1/000.p/255": Tile(1, 0, 255),
    "2/999": Tile(2, 999),
    "2/x001/000": Tile(2, 1000),
    "entries/x123/456": Tile(None, 123456),
    "entries/000.p/1": Tile(None, 0, 1),
}
NO_PATHS = (
    *("", "0", "0/", "0/0", "0/00", "0/0000", "0/x001", "0/001/002", "0/x000/001", "0/x001/x002"),
    *("7/000", "00/000", "-1/000", "a/000", "/0/000", "0/000/", "0//000", "0/000.p", "0/000.p/"),
    *("0/000.p/0", "0/000.p/01", "0/000.p/256", "0/000.p/257", "0/000.p/999", "0/000.p/1000"),
    *(
        "0/000.p/1\n",
        "0/000\n",
        "0/\N{ARABIC-INDIC DIGIT ZERO}00",
        "entries",
        "entries/0/000",
        "data/000",
        "0/000.p/+1",
    ),
    "0/x001/x001/x001/x001/x001/x001/000",
)
tiles = st.builds(
    Tile,
    st.one_of(st.none(), st.integers(0, LEVELS - 1)),
    st.integers(0, 10**18 - 1),
    st.integers(1, WIDTH),
)


@pytest.mark.parametrize("path", PATHS)
def test_path_of_a_tile(path: str) -> None:
    assert Tile.parse(path) == PATHS[path]
    assert PATHS[path].path == path


@pytest.mark.parametrize("path", NO_PATHS)
def test_other_paths_name_no_tile(path: str) -> None:
    assert Tile.parse(path) is None


@given(tiles)
def test_path_is_read_back(tile: Tile) -> None:
    assert Tile.parse(tile.path) == tile


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("0/000.p/1", 1),
        ("0/000.p/255", 255),
        ("0/000", 256),
        ("0/001.p/1", 257),
        ("1/000.p/1", 256),
        ("1/000.p/2", 512),
        ("1/000", 65536),
        ("2/000.p/1", 65536),
        ("entries/000.p/9", 9),
        ("entries/001", 512),
    ],
)
def test_tile_exists_from_a_size_on(path: str, size: int) -> None:
    tile = Tile.parse(path)
    assert tile
    assert tile.exists_in(size)
    assert tile.exists_in(size + 1000)
    assert not tile.exists_in(size - 1)


@given(st.integers(0, 200_000))
def test_tiles_of_a_tree_cover_every_level_once(size: int) -> None:
    found = list(tiles_of(size))
    assert len(set(found)) == len(found)
    assert all(tile.exists_in(size) for tile in found)
    for level in (0, 1, 2):
        assert sum(tile.width for tile in found if tile.level == level) == size // 256**level
    assert sum(tile.width for tile in found if tile.level is None) == size


def test_bundle_has_each_leaf_behind_its_length() -> None:
    assert bundle([b"", b"ab"]) == b"\x00\x00" + b"\x00\x02ab"
    assert bundle([b"x" * 65535])[:2] == b"\xff\xff"
    with pytest.raises(struct.error):
        bundle([b"x" * 65536])
