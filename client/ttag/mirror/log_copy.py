"""Copies a registry's log into a mirror: its leaves, and tiles that are computed from them.

So whatever is in the mirror belongs to the checkpoint that stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ttag.errors import Tampered, TtagError
from ttag.log.checkpoints import Checkpoint, Tree
from ttag.log.entries import bundle, read_leaf, split_bundle, states
from ttag.log.files import CHECKPOINT, FOLDER, KEYS, LogReader
from ttag.log.history import History
from ttag.log.notes import Malformed
from ttag.log.tiles import ENTRIES, WIDTH, Tile, read_node, tile_at, tiles_of
from ttag.log.tree import leaf_hash, perfect_root, range_root
from ttag.mirror.documents import MirroredVersion
from ttag.mirror.layout import as_bytes
from ttag.mirror.storage import Folder, MirroredLog
from ttag.mirror.writer import Writer
from ttag.registry.registry import Registry

Progress = Callable[[str], None]
Tiles = dict[tuple[int | str, int], bytes]  # by level and index


@dataclass(frozen=True, slots=True)
class LogCopy:
    """The log of a registry, up to a checkpoint: its leaves, and the files that state its size."""

    leaves: Sequence[bytes]
    heads: dict[str, bytes]

    def refuse_unproven(self, tag: str, versions: Iterable[MirroredVersion]) -> None:
        """Raise `Tampered` for a version of which no leaf states the digest."""
        for version in versions:
            event = version.identity.get("event") or 0
            if not 1 <= event <= len(self.leaves) or not states(
                read_leaf(self.leaves[event - 1]), event, tag, str(version), version.digest
            ):
                raise Tampered(
                    f"The log of the registry does not say that {tag}@{version} has the digest "
                    f"{version.digest}."
                )


def copy_log(registry: Registry, root: Path, writer: Writer, progress: Progress) -> LogCopy | None:
    """Write the bundles and tiles of a log, but not yet its heads; None if there is no log.

    Fetches the leaves that an older mirror in the folder lacks. Raises `Tampered` if they are not
    those of the checkpoint, or if the log does not continue that of the older mirror.
    """
    reader = registry.open_log()
    history = History.open(reader)
    if history is None:
        return None
    tree, old = history.tree, _older_tree(root)
    if old is not None and old.origin != tree.origin:
        old = None  # the log of another registry, or one that was given up: readers learn of that
    if old is not None and old.size > tree.size:
        raise Tampered(
            f"The log of {reader.subject} was cut short: it ends with event {tree.size}, and the "
            f"mirror has event {old.size}."
        )
    leaves = _leaves(reader, tree.size, root if old else None, progress)
    tiles = _tiles(leaves)
    if old and _root(tiles, tree.size) != tree.root:  # a file of the mirror may be damaged
        leaves = _leaves(reader, tree.size, None, progress)
        tiles = _tiles(leaves)
    if _root(tiles, tree.size) != tree.root:
        raise Tampered(f"The log of {reader.subject} has other events than its checkpoint states.")
    if old and _root(tiles, old.size) != old.root:
        raise Tampered(
            f"The log of {reader.subject} was rewritten: its first {old.size} events are not those "
            "that the mirror has."
        )
    for tile in tiles_of(tree.size):
        writer.put(f"{FOLDER}/{tile.path}", tiles[tile.level, tile.index])
        if tile.level == 0:
            first = tile.index * WIDTH
            entries = replace(tile, level=ENTRIES)
            writer.put(f"{FOLDER}/{entries.path}", bundle(leaves[first : first + tile.width]))
    heads = {CHECKPOINT: history.checkpoint.data, KEYS: as_bytes(history.keys.document)}
    return LogCopy(leaves, {f"{FOLDER}/{name}": data for name, data in heads.items()})


def _older_tree(root: Path) -> Tree | None:
    """Return the tree of the mirror that a folder holds, or None."""
    try:
        data = MirroredLog(Folder(root)).read(CHECKPOINT)
        return Checkpoint.parse(data).tree if data else None
    except (TtagError, Malformed):
        return None


def _leaves(reader: LogReader, size: int, root: Path | None, progress: Progress) -> list[bytes]:
    """Return the leaves of a log; whole bundles from an older mirror if a folder is given."""
    leaves: list[bytes] = []
    while len(leaves) < size:
        progress(f"copying the log: {len(leaves)} of {size} events")
        width = tile_at(0, len(leaves) // WIDTH, size).width
        tile = Tile(ENTRIES, len(leaves) // WIDTH, width)
        mirrored = _mirrored_bundle(root, tile) if root else []
        leaves += mirrored or reader.bundle(tile)[:width]
    return leaves


def _mirrored_bundle(root: Path, tile: Tile) -> list[bytes]:
    """Return the leaves of a bundle in a folder; none if it is not there, or not whole."""
    try:
        leaves = list(split_bundle(MirroredLog(Folder(root)).read(tile.path) or b""))
    except (TtagError, Malformed):
        return []
    return leaves if tile.is_full and len(leaves) == WIDTH else []


# Decision 106: tiles are computed, because they can be; leaves are fetched.
def _tiles(leaves: Sequence[bytes]) -> Tiles:
    """Return all tiles of the tree of some leaves."""
    tiles: Tiles = {}
    level, hashes = 0, [leaf_hash(leaf) for leaf in leaves]
    while hashes:
        rows = [hashes[first : first + WIDTH] for first in range(0, len(hashes), WIDTH)]
        tiles |= {(level, index): b"".join(row) for index, row in enumerate(rows)}
        level, hashes = level + 1, [perfect_root(row) for row in rows if len(row) == WIDTH]
    return tiles


def _root(tiles: Tiles, size: int) -> bytes:
    """Return the root of the first leaves, from the tiles of all."""

    def read(tile: Tile) -> bytes:
        return tiles[tile.level, tile.index]

    return range_root(0, size, lambda height, index: read_node(height, index, size, read))
