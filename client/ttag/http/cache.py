"""A cache of responses that many processes share.

    objects/sha256/ab/cdef...     bodies, named after their digest
    responses/12/3456...json      what was requested, its ETag and the digest of its body

Files appear whole and are never edited, so reading needs no lock. A body that does not have its
digest is treated as absent. If the folder cannot be written, nothing is stored.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttag.canonical_json import digest_of
from ttag.errors import FileError
from ttag.files import write_file


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A stored response. `stored` is in seconds since the epoch, `max_age` in seconds."""

    headers: Mapping[str, str]
    body: bytes
    stored: float
    max_age: int

    @property
    def etag(self) -> str:
        """The entity tag to revalidate with; empty if the registry sent none."""
        return self.headers.get("etag", "")

    def is_fresh(self, now: float) -> bool:
        """Return whether the registry allowed using the response without asking again."""
        return 0 <= now - self.stored < self.max_age


@dataclass(frozen=True, slots=True)
class Cache:
    """Responses in a folder, by the URL that was requested."""

    folder: Path

    def find(self, url: str) -> CachedResponse | None:
        """Return the stored response to a URL, or None."""
        try:
            record = json.loads(self._record(url).read_bytes())
            if record["url"] != url:
                return None
            body = self._object(record["digest"]).read_bytes()
            if digest_of(body) != record["digest"]:
                return None
            return CachedResponse(
                record["headers"], body, float(record["stored"]), int(record["max_age"])
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def store(self, url: str, headers: Mapping[str, str], body: bytes, *, max_age: int = 0) -> None:
        """Store the response to a URL; if the folder cannot be written, do nothing."""
        digest = digest_of(body)
        record = {
            "url": url,
            "digest": digest,
            "headers": dict(headers),
            "stored": time.time(),
            "max_age": max_age,
        }
        with suppress(FileError):
            self._write_once(self._object(digest), body, digest)
            write_file(self._record(url), json.dumps(record, sort_keys=True).encode())

    def _write_once(self, path: Path, body: bytes, digest: str) -> None:
        with suppress(OSError):
            if digest_of(path.read_bytes()) == digest:
                return
        write_file(path, body)

    def _record(self, url: str) -> Path:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self.folder / "responses" / name[:2] / f"{name[2:]}.json"

    def _object(self, digest: Any) -> Path:
        algorithm, _, name = str(digest).partition(":")
        if algorithm != "sha256" or not name.isalnum():
            raise ValueError(f"{digest!r} is not a digest")
        return self.folder / "objects" / "sha256" / name[:2] / name[2:]
