"""The tiles of the tree and bundles of leaves, from which clients compute every proof.

They are derived from the tree as the last commit left it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from registry.domain.errors import Code, Refused, echo
from registry.domain.event_log.merkle import HASH_SIZE, leaf_hash
from registry.domain.event_log.tiles import Tile, bundle, tiles_of
from registry.models import LogTile
from registry.services.event_log import leaf_bytes, tree_hashes


def read_tile(path: str) -> tuple[Tile, bytes]:
    """Return the tile or bundle of a path below `tile/`, and its content. Four queries at most.

    Raises `Refused` (TILE_UNKNOWN) if the path names none, or one that the tree does not have yet.
    """
    tile = Tile.parse(path)
    size = tree_hashes.current_range().size
    if tile is None or not tile.exists_in(size):
        reason = f"the log has {size} events" if tile else "expected a path as 0/x001/067.p/12"
        raise Refused(Code.TILE_UNKNOWN, f"There is no tile {echo(path)}: {reason}.")
    return tile, content(tile)


def content(tile: Tile) -> bytes:
    """Return the content of a tile that the tree has. Three queries at most."""
    if tile.level is None:
        return bundle(leaf_bytes.leaves(tile.start, tile.start + tile.width))
    stored = LogTile.objects.filter(level=tile.level, index=tile.index)
    for hashes in stored.values_list("hashes", flat=True):
        return bytes(hashes)[: tile.width * HASH_SIZE]
    if tile.level:
        return b"".join(tree_hashes.roots(tile.level - 1, tile.start, tile.width))
    return b"".join(map(leaf_hash, leaf_bytes.leaves(tile.start, tile.start + tile.width)))


def all_tiles(size: int) -> Iterator[tuple[Tile, bytes]]:
    """Yield the tiles and bundles of `tiles_of`, with their contents. Some queries, and one for
    each 1,000 events."""
    stored = LogTile.objects.values_list("level", "index", "hashes").iterator(chunk_size=100)
    for level, index, hashes in stored:
        yield Tile(level, index), bytes(hashes)
    for tile in tiles_of(size):
        if not tile.is_full and tile.level is not None:
            yield tile, content(tile)
    leaves = leaf_bytes.leaves(0, size)
    for tile in tiles_of(size):
        if tile.level is None:
            yield tile, bundle(islice(leaves, tile.width))
