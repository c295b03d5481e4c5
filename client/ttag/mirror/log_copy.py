"""Copies a registry's log into a mirror: its leaves, and tiles that are computed from them.

So whatever is in the mirror belongs to the checkpoint that stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ttag.errors import Tampered
from ttag.log.checkpoints import Checkpoint, Tree
from ttag.log.entries import bundle, read_leaf, split_bundle, states
from ttag.log.files import CHECKPOINT, FOLDER, KEYS, LogReader
from ttag.log.history import History
from ttag.log.notes import Malformed
from ttag.log.tiles import ENTRIES, WIDTH, Tile, tile_at, tiles_of
from ttag.log.tree import leaf_hash, perfect_root, range_root
from ttag.mirror.documents import MirroredVersion
from ttag.mirror.layout import as_bytes
from ttag.mirror.writer import Writer
from ttag.registry import Registry

Progress = Callable[[str], None]


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
    hashes = [leaf_hash(leaf) for leaf in leaves]
    if old and _root(hashes, tree.size) != tree.root:  # a file of the mirror may be damaged
        leaves = _leaves(reader, tree.size, None, progress)
        hashes = [leaf_hash(leaf) for leaf in leaves]
    if _root(hashes, tree.size) != tree.root:
        raise Tampered(f"The log of {reader.subject} has other events than its checkpoint states.")
    if old and _root(hashes, old.size) != old.root:
        raise Tampered(
            f"The log of {reader.subject} was rewritten: its first {old.size} events are not those "
            "that the mirror has."
        )
    for path, data in _files(leaves, hashes):
        writer.put(f"{FOLDER}/{path}", data)
    heads = {CHECKPOINT: history.checkpoint.data, KEYS: as_bytes(history.keys.document)}
    return LogCopy(leaves, {f"{FOLDER}/{name}": data for name, data in heads.items()})


def _older_tree(root: Path) -> Tree | None:
    """Return the tree of the mirror that a folder holds, or None."""
    try:
        return Checkpoint.parse((root / FOLDER / CHECKPOINT).read_bytes()).tree
    except (OSError, Malformed):
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
        leaves = list(split_bundle((root / FOLDER / tile.path).read_bytes()))
    except (OSError, Malformed):
        return []
    return leaves if tile.is_full and len(leaves) == WIDTH else []


def _root(hashes: Sequence[bytes], size: int) -> bytes:
    """Return the root of the first leaves, from the hashes of all."""
    return range_root(
        0,
        size,
        lambda height, index: perfect_root(hashes[index << height : index + 1 << height]),
    )


def _files(leaves: Sequence[bytes], hashes: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each bundle and tile."""
    level = list(hashes)
    for tile in tiles_of(len(leaves)):
        first = tile.index * WIDTH
        if tile.index == 0 and tile.level != 0:
            level = [
                perfect_root(level[place : place + WIDTH])
                for place in range(0, len(level) // WIDTH * WIDTH, WIDTH)
            ]
        if tile.level == 0:
            entries = Tile(ENTRIES, tile.index, tile.width)
            yield entries.path, bundle(leaves[first : first + tile.width])
        yield tile.path, b"".join(level[first : first + tile.width])
