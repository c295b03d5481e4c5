"""The files of the log that clients verify: tiles, bundles of leaves, and the history of its keys.

They are derived from the tree as the last commit left it. The checkpoint is in
`services.core.checkpoints`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from registry.domain.document import Json
from registry.domain.errors import Code, Refused, echo
from registry.domain.event_log.merkle import HASH_SIZE, leaf_hash
from registry.domain.event_log.tiles import Tile, bundle, tiles_of
from registry.models import LogFork, LogKey, LogTile
from registry.services.core import checkpoints, event_tree


def read_tile(path: str) -> tuple[Tile, bytes]:
    """Return the tile or bundle of a path below `tile/`, and its content. Four queries at most.

    Raises `Refused` (TILE_UNKNOWN) if the path names none, or one that the tree does not have yet.
    """
    tile = Tile.parse(path)
    size = event_tree.current_range().size
    if tile is None or not tile.exists_in(size):
        reason = f"the log has {size} events" if tile else "expected a path as 0/x001/067.p/12"
        raise Refused(Code.TILE_UNKNOWN, f"There is no tile {echo(path)}: {reason}.")
    return tile, content(tile)


def content(tile: Tile) -> bytes:
    """Return the content of a tile that the tree has. Three queries at most."""
    if tile.level is None:
        return bundle(event_tree.leaves(tile.start, tile.start + tile.width))
    stored = LogTile.objects.filter(level=tile.level, index=tile.index)
    for hashes in stored.values_list("hashes", flat=True):
        return bytes(hashes)[: tile.width * HASH_SIZE]
    if tile.level:
        return b"".join(event_tree.roots(tile.level - 1, tile.start, tile.width))
    leaves = event_tree.leaves(tile.start, tile.start + tile.width)
    return b"".join(leaf_hash(leaf) for leaf in leaves)


def all_tiles(size: int) -> Iterator[tuple[Tile, bytes]]:
    """Yield the tiles and bundles of `tiles_of`, with their contents. Some queries, and one for
    each 1,000 events."""
    stored = LogTile.objects.values_list("level", "index", "hashes").iterator(chunk_size=100)
    for level, index, hashes in stored:
        yield Tile(level, index), bytes(hashes)
    for tile in tiles_of(size):
        if not tile.is_full and tile.level is not None:
            yield tile, content(tile)
    leaves = event_tree.leaves(0, size)
    for tile in tiles_of(size):
        if tile.level is None:
            yield tile, bundle(islice(leaves, tile.width))


def key_history() -> dict[str, Json]:
    """Return the origin in force, its public keys, and the forks before it. Two queries.

    Raises `Refused` (LOG_UNAVAILABLE) if the log has no key yet.
    """
    rows = list(LogKey.objects.order_by("pk"))
    if not rows:
        raise Refused(
            Code.LOG_UNAVAILABLE, f"The log has no keys: {checkpoints.key_problem(None)}."
        )
    origin = rows[-1].origin
    return {
        "origin": origin,
        "keys": [
            {"key": row.key, "since": row.since, "endorsement": row.endorsement or None}
            for row in rows
            if row.origin == origin
        ],
        "forks": [
            {"origin": fork.origin, "size": fork.size, "root": fork.root, "reason": fork.reason}
            for fork in LogFork.objects.order_by("pk")
        ],
    }
