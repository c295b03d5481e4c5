"""A folder that becomes a mirror: files are written whole, and those that name others last."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.mirror_layout import CHECKSUMS, FOLDERS, OVERVIEW, as_bytes, checksums


@dataclass
class MirrorFolder:
    """One run of writing a mirror. Files that have their content already stay."""

    root: Path
    hashes: dict[str, str] = field(default_factory=dict)  # SHA-256 by path, of this mirror's files
    written: int = 0
    removed: int = 0

    @classmethod
    @contextmanager
    def open(cls, root: Path) -> Iterator[MirrorFolder]:
        """Yield a folder for one run, and create it if necessary.

        Raises `Refused`: CONFLICT if it holds something else or if another run writes to it,
        REQUEST_INVALID if a file cannot be written.
        """
        try:
            root.mkdir(parents=True, exist_ok=True)
            _refuse_other_files(root)
            with _locked(root):
                yield cls(root)
        except OSError as error:
            name = error.filename or root
            raise Refused(
                Code.REQUEST_INVALID, f"{name} cannot be written: {error.strerror or error}."
            ) from error

    def put(self, path: str, data: bytes) -> None:
        """Write a file, unless it has this content."""
        self.hashes[path] = hashlib.sha256(data).hexdigest()
        file = self.root / path
        with suppress(OSError):
            if file.read_bytes() == data:
                return
        _replace(file, data)
        self.written += 1

    def finish(
        self, indexes: Mapping[str, Mapping[str, Json]], overview: Mapping[str, Json]
    ) -> None:
        """Write the indexes by path, then the overview and the checksums; remove older files.

        What they name is on the disk before, whatever happens to the machine: one `sync` takes a
        fraction of the time of an `fsync` for each of thousands of files.
        """
        os.sync()
        for path in sorted(indexes):
            self.put(path, as_bytes(indexes[path]))
        os.sync()
        self.put(OVERVIEW, as_bytes(overview))
        _replace(self.root / CHECKSUMS, checksums(self.hashes))
        for folder in FOLDERS:
            self._remove_outdated(self.root / folder)

    def _remove_outdated(self, folder: Path) -> None:
        """Remove the files that are no part of this mirror, and the folders that this empties."""
        for entry in sorted(folder.rglob("*"), reverse=True):
            if entry.is_dir():
                with suppress(OSError):
                    entry.rmdir()
            elif entry.relative_to(self.root).as_posix() not in self.hashes:
                entry.unlink()
                self.removed += 1


def _refuse_other_files(root: Path) -> None:
    known = {*FOLDERS, OVERVIEW, CHECKSUMS}
    for entry in sorted(root.iterdir()):
        if entry.name not in known and not entry.name.startswith("."):
            raise Refused(
                Code.CONFLICT,
                f"{root} contains {entry.name}, which is no part of a mirror: expected an empty "
                "folder, or one with a mirror.",
            )


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    handle = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise Refused(Code.CONFLICT, f"Another process is writing the mirror in {root}.") from error
    finally:
        os.close(handle)


def _replace(file: Path, data: bytes) -> None:
    """Write a file beside its place, with the permissions that new files get, and rename it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.write_bytes(data)
        partial.rename(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
