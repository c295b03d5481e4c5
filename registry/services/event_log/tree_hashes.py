"""The tree over the event log: extended once per transaction, and read.

Each write adds one row, the tree's compact range, and a row for each tile that it completes. So a
read computes hashes of at most 255 events, however long the log is.
"""

from __future__ import annotations

from registry.domain.event_log.merkle import CompactRange, complete_root, leaf_hash
from registry.domain.event_log.tiles import WIDTH
from registry.models import LogRange, LogTile
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.row_insertion import insert_instances
from registry.services.event_log import leaf_bytes, signing_keys

_newest: PreparedQuery[LogRange] = PreparedQuery(lambda: LogRange.objects.order_by("-size")[:1])
_newest_within: PreparedQuery[LogRange] = PreparedQuery(
    lambda: LogRange.objects.filter(size__within=PLACEHOLDER).order_by("-size")[:1]
)


def current_range() -> CompactRange:
    """Return the tree as of the last commit, or of this transaction's start. One query."""
    return next(map(decode, _newest()), CompactRange())


def decode(row: LogRange) -> CompactRange:
    """Return the tree of a row. Raises `ValueError` if it is damaged."""
    return CompactRange.decode(row.size, bytes(row.hashes))


def range_at(size: int) -> CompactRange:
    """Return the tree of a size up to the current one. Two queries at most.

    For the size of a commit the first one suffices; the leaves behind the last commit before it
    are read by the other.
    """
    covered = next(map(decode, _newest_within([0, size])), CompactRange())
    if covered.size == size:
        return covered
    return covered.extend(map(leaf_hash, leaf_bytes.leaves(covered.size, size)))


def extend(*, is_backfilled: bool = False) -> None:
    """Let the tree cover all events. Call under the write lock, once, behind the last event.

    The first one establishes the key of the log. Three queries, and more for each completed tile.
    """
    covered = current_range()
    hashes = [
        leaf_hash(leaf_bytes.leaf_of(event, is_backfilled=is_backfilled))
        for event in leaf_bytes.events(covered.size)
    ]
    if not hashes:
        return
    extended = covered.extend(hashes)
    row = LogRange(size=extended.size, hashes=extended.encode(), is_backfilled=is_backfilled)
    insert_instances([row])
    _store_tiles(covered.size, hashes)
    if not covered.size:
        signing_keys.establish(since=0)


def rebuild_tiles() -> None:
    """Store the tiles of a tree that has none, as after a restore. Call under the write lock."""
    _store_tiles(0, [*map(leaf_hash, leaf_bytes.leaves(0, current_range().size))])


def _store_tiles(start: int, hashes: list[bytes]) -> None:
    """Store the tiles that hashes of leaves complete, from a position on."""
    first = start // WIDTH
    last = (start + len(hashes)) // WIDTH
    if first == last:
        return
    row = [*map(leaf_hash, leaf_bytes.leaves(first * WIDTH, start)), *hashes]
    for index in range(first, last):
        offset = (index - first) * WIDTH
        _store_tile(0, index, row[offset : offset + WIDTH])


def _store_tile(level: int, index: int, hashes: list[bytes]) -> None:
    """Store a tile, and those above that it completes."""
    root = complete_root(hashes)
    LogTile.objects.create(level=level, index=index, hashes=b"".join(hashes), root=root)
    if (index + 1) % WIDTH == 0:
        above = index // WIDTH
        _store_tile(level + 1, above, roots(level, above * WIDTH, WIDTH))


def roots(level: int, start: int, count: int) -> list[bytes]:
    """Return the roots of full tiles that follow each other. One query."""
    tiles = LogTile.objects.filter(level=level, index__gte=start, index__lt=start + count)
    return [bytes(root) for root in tiles.order_by("index").values_list("root", flat=True)]
