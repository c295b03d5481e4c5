"""Checks of the log's tree against the events, its own tiles and keys, and the last checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise

from django.conf import settings

from registry.domain.event_log import notes
from registry.domain.event_log.merkle import CompactRange, complete_root, leaf_hash
from registry.domain.event_log.notes import Checkpoint, Verifier
from registry.domain.event_log.tiles import WIDTH
from registry.models import Event, LogKey, LogRange, LogTile, Version, VersionLeaf
from registry.services.event_log import checkpoints, leaf_bytes, tree_hashes
from registry.services.operations.verification import BATCH, Finding, Progress, in_batches

TABLE, TILES = LogRange._meta.db_table, LogTile._meta.db_table
LEAVES, KEYS = VersionLeaf._meta.db_table, LogKey._meta.db_table
STATING = {"version.published", "version.redacted"}  # whose leaves state the digest of a version


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of the tree. A number of queries that grows by three per 500 versions."""
    yield from Recomputation().findings(progress)
    yield from _tile_findings()
    yield from _version_findings()
    yield from _key_findings()


class Recomputation:
    """The tree, computed again from the events, one transaction after the other."""

    def __init__(self) -> None:
        self._marked = leaf_bytes.backfilled_size()
        self._events = Event.objects.order_by("number").iterator(chunk_size=BATCH)
        self._next: Event | None = next(self._events, None)
        self._tile: list[bytes] = []  # hashes of the events so far of the current one
        self._tiles = dict(LogTile.objects.filter(level=0).values_list("index", "root"))
        self._kept: Checkpoint | None = None
        with suppress(OSError, ValueError):  # readiness reports it
            self._kept = checkpoints.kept()

    def findings(self, progress: Progress) -> Iterator[Finding]:
        """Yield the sizes and tiles of level 0 that are not those of the events."""
        tree, total = CompactRange(), LogRange.objects.count()
        rows = LogRange.objects.order_by("size").iterator(chunk_size=BATCH)
        for done, row in enumerate(rows, start=1):
            start = tree.size
            hashes = self._hashes_up_to(row.size)
            yield from self._checkpoint_findings(tree, hashes, row.size)
            computed = tree.extend(hashes)
            tree = _stored(row, computed)  # so that each change is reported once
            if computed.size != row.size or computed.encode() != bytes(row.hashes):
                yield Finding(
                    TABLE,
                    str(row.size),
                    f"events {start + 1} to {row.size} are not those that the tree covers",
                    "no event changed or removed",
                )
            yield from self._tile_findings(start, hashes)
            progress(done, total)
        if self._next:
            number = self._next.number
            yield Finding(TABLE, str(tree.size), f"event {number} is not covered", "all events")
        if not total:
            progress(0, 0)

    def _hashes_up_to(self, size: int) -> list[bytes]:
        hashes = []
        while self._next and self._next.number <= size:
            event = self._next
            with suppress(KeyError):  # an action that no release writes
                leaf = leaf_bytes.leaf_of(event, is_backfilled=event.number <= self._marked)
                hashes.append(leaf_hash(leaf))
            self._next = next(self._events, None)
        return hashes

    def _checkpoint_findings(
        self, tree: CompactRange, hashes: list[bytes], size: int
    ) -> Iterator[Finding]:
        """Compare with the checkpoint beside the database, if it states a size of these events."""
        kept = self._kept
        if kept is None or not tree.size < kept.size <= size or checkpoints.is_fork(kept.origin):
            return
        if tree.extend(hashes[: kept.size - tree.size]).root != kept.root:
            file = str(settings.LOG_CHECKPOINT_FILE)
            problem = f"events up to {kept.size} have another root"
            yield Finding(TABLE, str(size), problem, f"that of the checkpoint in {file}")

    def _tile_findings(self, start: int, hashes: list[bytes]) -> Iterator[Finding]:
        """Compare the tiles that these hashes complete."""
        for position, hashed in enumerate(hashes, start):
            if position % WIDTH == 0:
                self._tile.clear()
            self._tile.append(hashed)
            index = position // WIDTH
            if len(self._tile) == WIDTH and position % WIDTH == WIDTH - 1:
                root = self._tiles.pop(index, None)
                if root is None or bytes(root) != complete_root(self._tile):
                    problem = "is missing" if root is None else "has another root"
                    yield Finding(TILES, f"0/{index}", problem, "that of its events")


def _stored(row: LogRange, computed: CompactRange) -> CompactRange:
    """Return the tree of a row, or the computed one if the row is damaged."""
    try:
        return tree_hashes.decode(row)
    except ValueError:
        return CompactRange(row.size, computed.hashes)


def _tile_findings() -> Iterator[Finding]:
    """Yield tiles that do not have their own root, or not the roots of those below them."""
    roots: dict[tuple[int, int], bytes] = {}
    for tile in LogTile.objects.order_by("level", "index").iterator(chunk_size=BATCH):
        data = bytes(tile.hashes)
        hashes = [data[i : i + 32] for i in range(0, len(data), 32)]
        roots[tile.level, tile.index] = bytes(tile.root)
        if len(hashes) != WIDTH or complete_root(hashes) != bytes(tile.root):
            yield Finding(
                TILES, str(tile), "its hashes do not have its root", "256 hashes below it"
            )
        elif tile.level and hashes != _below(tile, roots):
            yield Finding(TILES, str(tile), "its hashes are not the roots below it", "those roots")


def _below(tile: LogTile, roots: Mapping[tuple[int, int], bytes]) -> list[bytes | None]:
    indexes = range(tile.index * WIDTH, (tile.index + 1) * WIDTH)
    return [roots.get((tile.level - 1, index)) for index in indexes]


def _version_findings() -> Iterator[Finding]:
    """Yield versions whose digest no leaf states, or another one."""
    rows = Version.objects.select_related("tag").order_by("pk").with_leaf()
    light = rows.only("major", "minor", "patch", "digest", "tag__text")
    for batch in in_batches(light, lambda _done, _total: None):
        events = Event.objects.in_bulk([version.event for version in batch if version.event])
        for version in batch:
            event = events.get(version.event)
            if event is None:
                yield Finding(LEAVES, version.exact, "no event states its digest", "one")
                continue
            stated, expected = _stated(event), f"{version.exact} is {version.digest}"
            if stated != expected:
                problem = f"event {event.number} states that {stated}"
                yield Finding(LEAVES, version.exact, problem, expected)


def _stated(event: Event) -> str:
    """Return what an event's leaf states about the digest of a version."""
    detail = leaf_bytes.detail_of(event) if event.action in STATING else None
    return f"{event.subject} is {(detail or {}).get('digest')}"


def _key_findings() -> Iterator[Finding]:
    """Yield keys that cannot be read, or that the key before them did not endorse."""
    rows = list(LogKey.objects.order_by("pk"))
    for row in rows:
        try:
            Verifier.parse(row.key)
        except ValueError as error:
            yield Finding(KEYS, str(row.pk), str(error), "a key of a signed note")
            return
    for last, row in pairwise(rows):
        is_first = last.origin != row.origin
        text = notes.endorsement_text(row.origin, row.since, row.key)
        if not is_first and not notes.is_endorsed(Verifier.parse(last.key), row.endorsement, text):
            yield Finding(KEYS, row.key, "the last key did not endorse it", f"that of {last.key}")
