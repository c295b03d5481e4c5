"""Writes the files of a mirror, each whole or not at all, and those that refer to others last."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttag.errors import FileError, SettingsError
from ttag.files import flush_to_disk, write_file
from ttag.mirror.layout import CHECKSUMS, FOLDERS, OVERVIEW, as_bytes, checksums


@dataclass
class Writer:
    """A run that writes a mirror into a folder. Files that have their content already stay.

    Until `finish`, readers find the older mirror whole: digests and formats are only added.
    """

    root: Path
    hashes: dict[str, str] = field(default_factory=dict)  # SHA-256 by path, of this mirror's files
    written: int = 0
    removed: int = 0

    def __post_init__(self) -> None:
        """Raise `SettingsError` if the folder holds something else than a mirror.

        Raises `FileError` if it cannot be read.
        """
        known = {*FOLDERS, OVERVIEW, CHECKSUMS}
        for name in _names(self.root):
            if name not in known and not name.startswith("."):
                raise SettingsError(
                    f"{self.root} holds {name}, which is no part of a mirror: expected an empty "
                    "folder, or one with a mirror."
                )
        for name in sorted(known):
            if (self.root / name).is_symlink():
                raise SettingsError(
                    f"{self.root / name} is a symbolic link, through which files elsewhere would "
                    "be replaced: remove it."
                )

    def put(self, path: str, data: bytes) -> None:
        """Write a file, unless it has this content. Raises `FileError`."""
        self.hashes[path] = hashlib.sha256(data).hexdigest()
        file = self.root / path
        with suppress(OSError):
            if file.is_symlink():
                file.unlink()  # readers refuse it, and writing would replace what it points to
            elif file.read_bytes() == data:
                return
        write_file(file, data, is_durable=False)
        self.written += 1

    def finish(
        self,
        indexes: Mapping[str, Mapping[str, Any]],
        overview: Mapping[str, Any],
        heads: Mapping[str, bytes],
    ) -> None:
        """Write the heads of the log and the indexes by path, then the overview and the checksums.

        Older files are removed at the end.

        What they name is on the disk before, whatever happens to the machine: flushing it twice
        takes a fraction of the time of doing so for each of thousands of files.
        """
        flush_to_disk()
        for path, data in heads.items():
            self.put(path, data)
        for path in sorted(indexes):
            self.put(path, as_bytes(indexes[path]))
        flush_to_disk()
        self.put(OVERVIEW, as_bytes(overview))
        write_file(self.root / CHECKSUMS, checksums(self.hashes))
        for folder in FOLDERS:
            self._remove_outdated(self.root / folder)

    def _remove_outdated(self, folder: Path) -> None:
        """Remove the files that are no part of this mirror, and the folders that this empties."""
        try:
            for entry in sorted(folder.rglob("*"), reverse=True):
                if entry.is_dir():
                    with suppress(OSError):
                        entry.rmdir()
                elif entry.relative_to(self.root).as_posix() not in self.hashes:
                    entry.unlink()
                    self.removed += 1
        except OSError as error:
            raise FileError(f"{folder} cannot be cleaned: {error.strerror}.") from error


def _names(folder: Path) -> list[str]:
    """Return the names of what is in a folder, or nothing if there is no such folder."""
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}.") from error
