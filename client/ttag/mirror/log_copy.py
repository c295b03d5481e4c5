"""Copies a registry's log into a mirror: its leaves, and tiles that are computed from them.

So whatever is in the mirror belongs to the checkpoint that stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path

from ttag.errors import NotFound, Refused, Tampered, TtagError
from ttag.log.checkpoints import Checkpoint, Tree
from ttag.log.entries import read_leaf, split_bundle, states
from ttag.log.files import CHECKPOINT, FOLDER, KEYS, LogReader, ServedFiles
from ttag.log.history import History, missing_for_key
from ttag.log.notes import Key, Malformed
from ttag.log.tiles import ENTRIES, WIDTH, Tile, bundle_of, tiles_of
from ttag.mirror.changes import Unfit
from ttag.mirror.checksums import Seal
from ttag.mirror.documents import MirroredVersion
from ttag.mirror.later_tiles import LaterTiles
from ttag.mirror.layout import as_bytes
from ttag.mirror.storage import Folder, MirroredLog
from ttag.mirror.update import LogFiles
from ttag.mirror.writer import Writer
from ttag.registry.connection import API
from ttag.registry.registry import Registry

RELEASE = "registry-release"  # the header of a checkpoint with the release of its registry

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LogCopy:
    """The log of a registry, up to a checkpoint: its leaves, and the files that state its size."""

    leaves: Sequence[bytes]
    heads: dict[str, bytes]
    release: str = ""  # of the registry, if it states it

    def refuse_unproven(self, tag: str, versions: Iterable[MirroredVersion]) -> None:
        """Raise `Tampered` for a version of which no leaf states the digest."""
        for version in versions:
            event = version.identity.get("event") or 0
            if not 1 <= event <= len(self.leaves) or not states(
                read_leaf(self.leaves[event - 1]), event, tag, str(version), version.digest
            ):
                raise unproven(tag, version)


def unproven(tag: str, version: MirroredVersion) -> Tampered:
    """Return the error that no leaf states the digest of a version."""
    return Tampered(
        f"The log of the registry does not say that {tag}@{version} has the digest "
        f"{version.digest}."
    )


@dataclass
class ServedLog:
    """The log of a registry, which states its release beside its checkpoint."""

    files: ServedFiles
    release: str = ""

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None if the registry has no such file."""
        if path not in {CHECKPOINT, KEYS}:
            return self.files.read(path, is_immutable=is_immutable)
        try:
            response = self.files.fetcher.transport.request("GET", f"{self.files.prefix}/{path}")
        except NotFound:
            return None
        except Refused as refusal:
            if refusal.status != HTTPStatus.NOT_FOUND:
                raise
            return None
        self.release = response.headers.get(RELEASE, self.release)
        return response.body

    def without_cache(self) -> None:
        """Return nothing: mirrors are written without a cache."""


@dataclass(frozen=True, slots=True)
class LogGrowth:
    """The part of a log that a mirror lacks: the leaves after an event, and the files."""

    leaves: Sequence[bytes]
    size: int
    files: LogFiles
    release: str


# Decision 106: tiles are computed, because they can be; leaves are fetched.
def copy_log(registry: Registry, root: Path, writer: Writer, progress: Progress) -> LogCopy | None:
    """Write the bundles and tiles of a log, but not yet its heads; None if there is no log.

    Fetches the leaves that an older mirror in the folder lacks. Raises `Tampered` if they are not
    those of the checkpoint, or if the log does not continue that of the older mirror.
    """
    reader, served = _reader(registry)
    history = _open_history(registry, reader)
    if history is None:
        return None
    tree, old = history.tree, _older_tree(root)
    if old is not None and old.origin != tree.origin:
        old = None  # the log of another registry, or one that was given up: readers learn of that
    if old is not None and (key := _older_key(root)):
        history.require_key(key, "the mirror")
    if old is not None and old.size > tree.size:
        raise Tampered(
            f"The log of {reader.subject} was cut short: it ends with event {tree.size}, and the "
            f"mirror has event {old.size}."
        )
    leaves = _leaves(reader, tree.size, root if old else None, progress)
    nothing = Seal(Folder(root), {})
    tiles = LaterTiles(nothing, 0, 0, leaves)
    if old and tiles.root(tree.size) != tree.root:  # a file of the mirror may be damaged
        leaves = _leaves(reader, tree.size, None, progress)
        tiles = LaterTiles(nothing, 0, 0, leaves)
    if tiles.root(tree.size) != tree.root:
        raise Tampered(f"The log of {reader.subject} has other events than its checkpoint states.")
    if old and tiles.root(old.size) != old.root:
        raise Tampered(
            f"The log of {reader.subject} was rewritten: its first {old.size} events are not those "
            "that the mirror has."
        )
    for tile in tiles.changed(tree.size):
        writer.put(f"{FOLDER}/{tile.path}", tiles.read(tile))
    return LogCopy(leaves, _heads(history), served.release)


def extend_log(registry: Registry, seal: Seal, event: int) -> LogGrowth:
    """Return what a log has more than that of a mirror after an event.

    Takes a request for each 256 events. Raises `Tampered` as `copy_log` does, and `Unfit` or
    `Unsealed` if the log of the mirror cannot be continued.
    """
    reader, served = _reader(registry)
    history = _open_history(registry, reader)
    old = sealed_tree(seal)
    if history is None or old is None or history.tree.origin != old.origin:
        raise Unfit("the registry has another log, or none")
    if (key := _older_key(seal.folder.root)) and not history.is_led_from(key):
        raise Unfit("the log of the registry has a key that the mirror does not lead to")
    tree = history.tree
    if old.size > tree.size:
        raise Unfit("the log of the registry is shorter than that of the mirror")
    first = min(event, old.size) // WIDTH
    bundles = (bundle_of(start, tree.size) for start in range(first * WIDTH, tree.size, WIDTH))
    leaves = [leaf for tile in bundles for leaf in reader.bundle(tile)]
    leaves = leaves[: tree.size - first * WIDTH]
    tiles = LaterTiles(seal, old.size, first * WIDTH, leaves)
    if tiles.root(old.size) != old.root or tiles.root(tree.size) != tree.root:
        raise Unfit("the log of the registry does not continue that of the mirror")
    changed = {f"{FOLDER}/{tile.path}": tiles.read(tile) for tile in tiles.changed(tree.size)}
    outdated = {tile.path for tile in _partial(old.size)} - {
        tile.path for tile in _partial(tree.size)
    }
    files = LogFiles(changed, _heads(history), [f"{FOLDER}/{path}" for path in sorted(outdated)])
    later = leaves[min(event, old.size) - first * WIDTH :]
    return LogGrowth(later, tree.size, files, served.release)


def _partial(size: int) -> Iterator[Tile]:
    """Yield the partial tiles of a log, and its partial bundle."""
    for tile in tiles_of(size):
        if not tile.is_full:
            yield tile
            if tile.level == 0:
                yield replace(tile, level=ENTRIES)


def _reader(registry: Registry) -> tuple[LogReader, ServedLog]:
    """Return a reader of a registry's log, and what learns the release of the registry."""
    reader = registry.open_log()
    served = ServedLog(ServedFiles(registry.fetcher, f"{API}/{FOLDER}"))
    reader.files = served
    return reader, served


def _open_history(registry: Registry, reader: LogReader) -> History | None:
    """Return the history of a registry's log, or None. Raises `Tampered` without the known key."""
    history = History.open(reader)
    if registry.log_key is None:
        return history
    if history is None:
        raise missing_for_key(reader.subject)
    history.require_key(registry.log_key, "the settings")
    return history


def _heads(history: History) -> dict[str, bytes]:
    """Return the files that state the size of a log, by path; keys before what they sign."""
    heads = {KEYS: as_bytes(history.keys.document), CHECKPOINT: history.checkpoint.data}
    return {f"{FOLDER}/{name}": data for name, data in heads.items()}


def sealed_tree(seal: Seal) -> Tree | None:
    """Return the tree of a sealed mirror, or None. Raises `Unsealed`."""
    try:
        data = seal.file(f"{FOLDER}/{CHECKPOINT}")
        return Checkpoint.parse(data).tree if data else None
    except Malformed:
        return None


def _older_tree(root: Path) -> Tree | None:
    """Return the tree of the mirror that a folder holds, or None."""
    try:
        data = MirroredLog(Folder(root)).read(CHECKPOINT)
        return Checkpoint.parse(data).tree if data else None
    except (TtagError, Malformed):
        return None


def _older_key(root: Path) -> Key | None:
    """Return the key that signs the log of the mirror in a folder; None if that is damaged."""
    try:
        history = History.open(LogReader("the mirror", MirroredLog(Folder(root))))
    except TtagError:
        return None
    return None if history is None else history.keys.newest


def _leaves(reader: LogReader, size: int, root: Path | None, progress: Progress) -> list[bytes]:
    """Return the leaves of a log; whole bundles from an older mirror if a folder is given."""
    leaves: list[bytes] = []
    while len(leaves) < size:
        progress(f"copying the log: {len(leaves)} of {size} events")
        tile = bundle_of(len(leaves), size)
        mirrored = _mirrored_bundle(root, tile) if root else []
        leaves += mirrored or reader.bundle(tile)[: tile.width]
    return leaves


def _mirrored_bundle(root: Path, tile: Tile) -> list[bytes]:
    """Return the leaves of a bundle in a folder; none if it is not there, or not whole."""
    try:
        leaves = list(split_bundle(MirroredLog(Folder(root)).read(tile.path) or b""))
    except (TtagError, Malformed):
        return []
    return leaves if tile.is_full and len(leaves) == WIDTH else []
