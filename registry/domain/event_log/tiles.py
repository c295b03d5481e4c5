"""Tiles: pieces of a Merkle tree as immutable files (C2SP tlog-tiles).

A tile of level L holds the roots of up to 256 subtrees with 256^L leaves each, from left to right.
A bundle of entries holds the leaves below a tile of level 0.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WIDTH = 256  # hashes of a full tile
LEVELS = 7  # for 2^56 leaves; JSON has no integers beyond 2^53
ENTRIES = "entries"

PATH = re.compile(
    r"(?P<kind>entries|[0-6])/(?P<index>(?:x[0-9]{3}/){0,5}[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class Tile:
    """The position of a tile, or of a bundle of entries, which has no level."""

    level: int | None
    index: int
    width: int = WIDTH

    @classmethod
    def parse(cls, path: str) -> Tile | None:
        """Return the tile of a path below `tile/`; None if it names none."""
        match = PATH.fullmatch(path)
        if match is None:
            return None
        width = int(match["width"] or WIDTH)
        index = int(re.sub("[x/]", "", match["index"]))
        level = None if match["kind"] == ENTRIES else int(match["kind"])
        tile = cls(level, index, width)
        is_canonical = width <= WIDTH and tile.path == path  # no leading x000, no .p/256
        return tile if is_canonical else None

    @property
    def path(self) -> str:
        """Return the path below `tile/`, as in `0/x001/x234/067.p/5`."""
        kind = ENTRIES if self.level is None else str(self.level)
        groups = f"{self.index:,}".split(",")
        index = "/".join([*(f"x{group:0>3}" for group in groups[:-1]), f"{groups[-1]:0>3}"])
        return f"{kind}/{index}" if self.is_full else f"{kind}/{index}.p/{self.width}"

    @property
    def is_full(self) -> bool:
        """True if the tile never gets more hashes."""
        return self.width == WIDTH

    @property
    def start(self) -> int:
        """Return the position of its first hash among those of its level."""
        return self.index * WIDTH

    def exists_in(self, size: int) -> bool:
        """Return whether a tree with so many leaves has all of the tile's hashes."""
        hashes: int = size // WIDTH ** (self.level or 0)
        return self.start + self.width <= hashes


def tiles_of(size: int) -> Iterator[Tile]:
    """Yield the tiles of a tree, level by level, then its bundles; the last of each may be partial.

    They are all that a client needs for any proof about that tree.
    """
    for level in range(LEVELS):
        yield from _row(level, size // WIDTH**level)
    yield from _row(None, size)


def _row(level: int | None, count: int) -> Iterator[Tile]:
    for index in range(count // WIDTH):
        yield Tile(level, index)
    if count % WIDTH:
        yield Tile(level, count // WIDTH, count % WIDTH)


def bundle(entries: Iterable[bytes]) -> bytes:
    """Return leaves one after the other, each behind its length."""
    return b"".join(struct.pack(">H", len(entry)) + entry for entry in entries)
