"""Tiles: 256 hashes of one level of the tree in one file (C2SP tlog-tiles)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ttag.log.tree import HASH_SIZE, perfect_root

HEIGHT = 8  # levels of the tree that a tile stands for
WIDTH = 1 << HEIGHT  # hashes in a full tile, and leaves in a full bundle
ENTRIES = "entries"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: its level, its index there, and the number of its hashes.

    The level of a bundle of leaves is `entries`; it has the index and the width of a tile of level
    0.
    """

    level: int | str
    index: int
    width: int = WIDTH

    @property
    def is_full(self) -> bool:
        """True if the tile never changes, however the tree grows."""
        return self.width == WIDTH

    @property
    def path(self) -> str:
        """The path of the file, below `log/`."""
        digits = f"{self.index:03}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[place : place + 3] for place in range(0, len(digits), 3)]
        name = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
        return f"tile/{self.level}/{name}" + ("" if self.is_full else f".p/{self.width}")

    @property
    def full(self) -> Tile:
        """The tile that a partial one becomes."""
        return Tile(self.level, self.index)


def tile_at(level: int, index: int, size: int) -> Tile:
    """Return the tile of a level as a tree of some size has it; its width is 0 if it has none."""
    return Tile(level, index, max(0, min(WIDTH, (size >> HEIGHT * level) - index * WIDTH)))


def bundle_of(leaf: int, size: int) -> Tile:
    """Return the bundle that holds a leaf of a tree."""
    return Tile(ENTRIES, leaf // WIDTH, tile_at(0, leaf // WIDTH, size).width)


def tiles_of(size: int) -> Iterator[Tile]:
    """Yield all tiles of a tree, level by level; of partial ones the last alone."""
    level = 0
    while hashes := size >> HEIGHT * level:
        for index in range(-(-hashes // WIDTH)):
            yield tile_at(level, index, size)
        level += 1


def read_node(height: int, index: int, size: int, read: Callable[[Tile], bytes]) -> bytes:
    """Return the hash of a node of a tree, from the tile that holds it or its descendants."""
    level, above = divmod(height, HEIGHT)
    first = index << above  # the first of its descendants in the tile's level
    data = read(tile_at(level, first // WIDTH, size))
    place, count = first % WIDTH * HASH_SIZE, 1 << above
    return perfect_root(hashes_in(data[place : place + count * HASH_SIZE]))


def hashes_in(data: bytes) -> list[bytes]:
    """Return the hashes of a tile."""
    return [data[place : place + HASH_SIZE] for place in range(0, len(data), HASH_SIZE)]
