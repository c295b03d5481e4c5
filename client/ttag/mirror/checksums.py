"""The checksums of a mirror, in parts, so that one new version rewrites a few of them.

SHA256SUMS lists the files in the root and the parts. Each part lists the other files whose paths
have a SHA-256 that begins with its name.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ttag.mirror.layout import CHECKSUMS, PARTS
from ttag.mirror.storage import Folder

Hashes = dict[str, str]  # SHA-256 by path


class Unsealed(Exception):
    """The files of a mirror are not those that its checksums list; the text says which."""


def part_of(path: str) -> str:
    """Return the path of the part that lists a file; SHA256SUMS for a file in the root."""
    if "/" not in path:
        return CHECKSUMS
    return f"{PARTS}/{sha256(path.encode())[:2]}"


def parts_of(hashes: Mapping[str, str]) -> dict[str, Hashes]:
    """Return the hashes of files by the part that lists them."""
    parts: dict[str, Hashes] = defaultdict(dict)
    for path, digest in hashes.items():
        parts[part_of(path)][path] = digest
    return parts


def as_lines(hashes: Mapping[str, str]) -> bytes:
    """Return the content of a part, which `sha256sum --check` reads."""
    return "".join(f"{hashes[path]}  {path}\n" for path in sorted(hashes)).encode()


def read_lines(data: bytes) -> Hashes:
    """Read the content of a part. Raises `ValueError`."""
    pairs = (line.split("  ", 1) for line in data.decode().splitlines())
    return {path: digest for digest, path in pairs}


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """The checksums that the last finished run has written, against which files are compared."""

    folder: Folder
    root: Mapping[str, str]  # of SHA256SUMS

    @classmethod
    def read(cls, folder: Folder) -> Seal:
        """Read the seal of a mirror. Raises `Unsealed` if it has none, and `FileError`."""
        try:
            root = read_lines(folder.read(CHECKSUMS) or b"")
        except ValueError as error:
            raise Unsealed(f"{CHECKSUMS} is damaged") from error
        if any("/" in path and not path.startswith(f"{PARTS}/") for path in root):
            raise Unsealed("its checksums are those of an older release")
        return cls(folder, root)

    def part(self, name: str) -> Hashes:
        """Return what a part lists; nothing if there is none. Raises `Unsealed`."""
        if name == CHECKSUMS:
            return dict(self.root)
        if name not in self.root:
            return {}
        return read_lines(_verified(self.folder, name, self.root[name]) or b"")

    def file(self, path: str) -> bytes | None:
        """Return the content of a file; None if no part lists it. Raises `Unsealed`."""
        digest = self.part(part_of(path)).get(path)
        return None if digest is None else _verified(self.folder, path, digest)

    def updated(self, hashes: Mapping[str, str], removed: Iterable[str]) -> dict[str, Hashes]:
        """Return the parts that change, but for SHA256SUMS, with all that they list then."""
        changes = parts_of(hashes)
        for path in removed:
            changes.setdefault(part_of(path), {})
        parts = {}
        for name in changes.keys() - {CHECKSUMS}:
            listed = self.part(name) | changes[name]
            parts[name] = {path: listed[path] for path in listed.keys() - set(removed)}
        return parts


def _verified(folder: Folder, path: str, digest: str) -> bytes:
    """Return the content of a file that must have a SHA-256. Raises `Unsealed`."""
    data = folder.read(path)
    if data is None or sha256(data) != digest:
        raise Unsealed(f"{path} is {'missing' if data is None else 'changed'}")
    return data
