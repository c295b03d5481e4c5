"""The tiles of a log that has grown: from its later leaves, and the tiles of a mirror."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ttag.log.entries import bundle
from ttag.log.files import FOLDER
from ttag.log.tiles import ENTRIES, WIDTH, Tile, hashes_in, read_node, tile_at
from ttag.log.tree import leaf_hash, perfect_root, range_root
from ttag.mirror.checksums import Seal, Unsealed


class LaterTiles:
    """The tiles of a tree whose leaves from `first` on are given, the others being mirrored.

    `first` is a multiple of 256, and at most `old_size`, the size of the mirrored tree. Raises
    `Unsealed` where a tile of the mirror is missing.
    """

    def __init__(self, seal: Seal, old_size: int, first: int, leaves: Sequence[bytes]) -> None:
        self._seal = seal
        self._old_size = old_size
        self._first = first
        self._leaves = leaves
        self._tiles: dict[tuple[int | str, int], bytes] = {}
        self._add(0, first, [leaf_hash(leaf) for leaf in leaves])

    def root(self, size: int) -> bytes:
        """Return the root of the first leaves."""
        return range_root(0, size, lambda height, index: read_node(height, index, size, self.read))

    def changed(self, size: int) -> Iterator[Tile]:
        """Yield the tiles and bundles of a tree that the leaves may have changed."""
        for level, index in self._tiles:
            assert isinstance(level, int)  # noqa: S101 - no bundle is among them
            tile = tile_at(level, index, size)
            yield tile
            if level == 0:
                yield replace(tile, level=ENTRIES)

    def read(self, tile: Tile) -> bytes:
        """Return the content of a tile or a bundle; what is mirrored may be wider."""
        if tile.level == ENTRIES:
            start = tile.index * WIDTH - self._first
            return bundle(self._leaves[start : start + tile.width])
        if content := self._tiles.get((tile.level, tile.index)):
            return content
        assert isinstance(tile.level, int)  # noqa: S101 - bundles are above
        return self._mirrored(tile.level, tile.index)

    def _mirrored(self, level: int, index: int) -> bytes:
        """Return a tile of the mirror, as wide as it has it."""
        path = f"{FOLDER}/{tile_at(level, index, self._old_size).path}"
        content = self._seal.file(path)
        if content is None:
            raise Unsealed(f"{path} is missing")
        return content

    def _add(self, level: int, start: int, hashes: list[bytes]) -> None:
        """Add the tiles of a level with some hashes, of which the first is at a position."""
        rows = [hashes[place : place + WIDTH] for place in range(0, len(hashes), WIDTH)]
        for index, row in enumerate(rows, start // WIDTH):
            self._tiles[level, index] = b"".join(row)
        full = [perfect_root(row) for row in rows if len(row) == WIDTH]
        place = start // WIDTH  # of the first of these roots in the level above
        if full or place:
            before = place % WIDTH
            mirrored = self._mirrored(level + 1, place // WIDTH) if before else b""
            above = [*hashes_in(mirrored)[:before], *full]
            self._add(level + 1, place - before, above)
