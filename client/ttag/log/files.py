"""Reads the files of a log from a registry, a mirror or a cache, and trusts none of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Protocol

from ttag.errors import Refused, Tampered, Unreachable
from ttag.http.fetching import Fetcher
from ttag.http.transport import Response
from ttag.log.checkpoints import Checkpoint
from ttag.log.entries import split_bundle
from ttag.log.keys import Keys
from ttag.log.notes import Malformed
from ttag.log.tiles import WIDTH, Tile, bundle_of, read_node
from ttag.log.tree import HASH_SIZE

FOLDER = "log"
CHECKPOINT, KEYS = "checkpoint", "keys"
UPSTREAM = "registry-upstream"  # the header of a registry for another site, which is a mirror


class Files(Protocol):
    """Files of a log by their path below `log/`."""

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None if there is no such file. Raises `TtagError`.

        What is immutable may come from a cache.
        """

    def without_cache(self) -> Files | None:
        """Return what reads the same files from their origin, or None if this does already."""


@dataclass(slots=True)
class ServedFiles:
    """The log of a registry, below `prefix`. Only what never changes is cached.

    `upstream` is the registry that it says it is a mirror of, and empty if it says nothing.
    """

    fetcher: Fetcher
    prefix: str
    upstream: str = ""

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None if the registry has no such file."""
        fetcher = self.fetcher if is_immutable else replace(self.fetcher, cache=None)
        try:
            url = f"{self.prefix}/{path}"
            return fetcher.find(url, self._note_upstream, is_immutable=is_immutable)
        except Refused as refusal:
            if refusal.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise Unreachable(refusal.message) from refusal
            raise

    def without_cache(self) -> ServedFiles | None:
        """Return what asks the registry for everything."""
        if self.fetcher.cache is None:
            return None
        return replace(self, fetcher=replace(self.fetcher, cache=None))

    def _note_upstream(self, response: Response) -> None:
        self.upstream = response.headers.get(UPSTREAM, self.upstream)


@dataclass
class LogReader:
    """The log of `subject`, such as "the registry https://host"; each file is read once.

    A mirror `may_lag`: it can be older than what was seen elsewhere. So can a registry for another
    site, which `is_site`.

    Raises `Tampered` for files that no log has, and `Unreachable` for those that are missing.
    """

    subject: str
    files: Files
    may_lag: bool = False
    _read: dict[Tile, bytes] = field(default_factory=dict)

    @property
    def is_site(self) -> bool:
        """True if a registry says that it is a mirror of another one."""
        return isinstance(self.files, ServedFiles) and bool(self.files.upstream)

    def checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint, or None if there is no log."""
        data = self.files.read(CHECKPOINT)
        try:
            return None if data is None else Checkpoint.parse(data)
        except Malformed as error:
            raise self.damaged(CHECKPOINT, error) from error

    def keys(self) -> Keys:
        """Return the keys of the log."""
        data = self.files.read(KEYS)
        if data is None:
            raise Tampered(f"The log of {self.subject} has a checkpoint and no keys.")
        try:
            return Keys.parse(data)
        except Malformed as error:
            raise self.damaged(KEYS, error) from error

    def node(self, height: int, index: int, size: int) -> bytes:
        """Return the hash of a node of a tree, as it is stored, which proves nothing yet."""
        return read_node(height, index, size, self._tile)

    def leaf(self, index: int, size: int) -> bytes:
        """Return a leaf of a tree, as it is stored, which proves nothing yet."""
        return self.bundle(bundle_of(index, size))[index % WIDTH]

    def bundle(self, tile: Tile) -> list[bytes]:
        """Return the leaves of a bundle, as they are stored, which proves nothing yet."""
        data = self._file(tile)
        try:
            leaves = list(split_bundle(data))
        except Malformed as error:
            raise self.damaged(tile.path, error) from error
        if not tile.width <= len(leaves) <= WIDTH:
            raise Tampered(
                f"{tile.path} of the log of {self.subject} has {len(leaves)} leaves instead of "
                f"{tile.width}."
            )
        return leaves

    def refresh(self) -> bool:
        """Read everything again, without a cache. Return whether that can make a difference."""
        fresh = self.files.without_cache()
        if fresh is None:
            return False
        self.files = fresh
        self._read.clear()
        return True

    def damaged(self, path: str, error: Malformed) -> Tampered:
        """Return the error that a file is not what a log has."""
        return Tampered(f"{path} of the log of {self.subject} is not usable: {error}.")

    def _tile(self, tile: Tile) -> bytes:
        data = self._file(tile)
        if len(data) not in {tile.width * HASH_SIZE, WIDTH * HASH_SIZE}:
            raise Tampered(
                f"{tile.path} of the log of {self.subject} has {len(data)} bytes instead of "
                f"{tile.width * HASH_SIZE}."
            )
        return data

    def _file(self, tile: Tile) -> bytes:
        """Return the file of a tile, or of the full one that has replaced a partial one."""
        if tile not in self._read:
            data = self.files.read(tile.path, is_immutable=tile.is_full)
            if data is None and not tile.is_full:
                data = self.files.read(tile.full.path, is_immutable=True)
            if data is None:
                raise Unreachable(
                    f"The log of {self.subject} is incomplete: it has no {tile.path}."
                )
            self._read[tile] = data
        return self._read[tile]
