"""Writes a mirror: each file whole or not at all, and those that refer to others last.

`ttag mirror` fills it from the API, and the registry from its database (docs/decisions/0120).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ttag.canonical_json import digest_of
from ttag.errors import FileError, SettingsError
from ttag.files import exclusive, flush_to_disk, remove_leftovers, write_file
from ttag.mirror import compatibility
from ttag.mirror.checksums import as_lines, parts_of, sha256
from ttag.mirror.documents import AliasIndex, Counts, MirroredVersion, Overview, TagIndex
from ttag.mirror.layout import (
    CHECKSUMS,
    COMPATIBILITY,
    FOLDERS,
    OVERVIEW,
    UNFINISHED,
    as_bytes,
    digest_path,
    format_path,
    index_path,
)
from ttag.references import Reference
from ttag.resolution import Export


@dataclass(frozen=True, slots=True)
class Summary:
    """The contents of a mirror, and the changes that a run has made.

    `reason` says why everything was read; it is empty after a run that applied events.
    """

    tags: int
    aliases: int
    versions: int
    event: int
    written: int
    removed: int
    reason: str = ""


@dataclass
class Writer:
    """A run that writes a mirror into a folder. Files that have their content already stay.

    Until `finish`, readers find the older mirror whole: digests and formats are only added.

    `is_durable` flushes each file to the disk, which suits a run that writes a few of them.
    """

    root: Path
    hashes: dict[str, str] = field(default_factory=dict)  # SHA-256 by path, of what was put
    versions: dict[str, list[MirroredVersion]] = field(default_factory=lambda: defaultdict(list))
    written: int = 0
    removed: int = 0
    is_durable: bool = False

    @classmethod
    @contextmanager
    def open(cls, root: Path, *, waits: bool = True) -> Iterator[Writer]:
        """Yield the writer of a run, while no other one writes to the folder.

        Another run is waited for, if it `waits`. Raises `SettingsError` if the folder holds
        something else than a mirror, and `FileError` if it cannot be read or written.
        """
        _refuse_other_files(root)
        with exclusive(root / OVERVIEW, waits=waits):
            for name in (COMPATIBILITY, CHECKSUMS, UNFINISHED):
                remove_leftovers(root / name)
            yield cls(root)

    @property
    def is_unfinished(self) -> bool:
        """True if this run changes files, or if an earlier one was ended while it did."""
        return (self.root / UNFINISHED).exists()

    def put(self, path: str, data: bytes) -> None:
        """Write a file, unless it has this content. Raises `FileError`."""
        self.hashes[path] = sha256(data)
        file = self.root / path
        with suppress(OSError):
            if file.is_symlink():
                file.unlink()  # readers refuse it, and writing would replace what it points to
            elif file.read_bytes() == data:
                return
        write_file(file, data, is_durable=self.is_durable)
        self.written += 1

    # Decision 168: a run that was killed is made up for by one that reads everything.
    def begin(self) -> None:
        """Mark the folder as one that a run changes, before it changes what is there."""
        if not self.is_unfinished:
            write_file(self.root / UNFINISHED, b"")

    def end(self) -> None:
        """Remove the mark, at the end of a run."""
        (self.root / UNFINISHED).unlink(missing_ok=True)

    def flush(self) -> None:
        """Wait until what was put is on the disk, before something names it.

        Flushing everything twice takes a fraction of the time of doing so for each of thousands
        of files.
        """
        if not self.is_durable:
            flush_to_disk()

    def put_version(
        self, tag: str, identity: Mapping[str, Any], target: bytes, exports: Mapping[str, Export]
    ) -> None:
        """Write the target of a version, and its texts by format; `finish` adds it to its index.

        `identity` has the members of a resolution that the index repeats.
        """
        self.put(digest_path(identity["digest"]), target)
        texts = {form: export.text.encode() for form, export in exports.items()}
        for form, text in texts.items():
            self.put(format_path(form, f"{tag}@{identity['version']}"), text)
        version = MirroredVersion(
            identity,
            {form: export.dropped for form, export in exports.items()},
            {form: digest_of(text) for form, text in texts.items()},
        )
        self.versions[tag].append(version)

    def finish(
        self,
        *,
        registry: str,
        event: int,
        namespaces: Collection[str],
        formats: Collection[str],
        aliases: Mapping[str, Reference],
        log_heads: Mapping[str, bytes],
        notices: Iterable[Mapping[str, Any]] = (),
        release: str = "",
        reason: str = "",
    ) -> Summary:
        """Write what names other files: the heads of the log, the indexes, and the overview.

        An alias of a tag that the mirror lacks is left out. Older files are removed at the end.
        `reason` says why the run did not apply events.
        """
        indexes = self._indexes(aliases)
        self.flush()
        for path, data in log_heads.items():
            self.put(path, data)
        for path in sorted(indexes):
            self.put(path, as_bytes(indexes[path].as_json()))
        self.flush()
        counts = Counts(
            len(self.versions),
            len(indexes) - len(self.versions),
            sum(map(len, self.versions.values())),
        )
        self.put_overview(
            Overview(
                registry,
                now(),
                event,
                tuple(namespaces),
                tuple(formats),
                tuple(notices),
                release,
                counts,
            )
        )
        parts = parts_of(self.hashes)
        root = parts.pop(CHECKSUMS)
        self.put_checksums(parts, root)
        for folder in FOLDERS:
            self._remove_outdated(self.root / folder)
        self.end()
        return self.summary(event, counts, reason)

    def summary(self, event: int, counts: Counts, reason: str = "") -> Summary:
        """Return what this run has done."""
        return Summary(
            **asdict(counts),
            event=event,
            written=self.written,
            removed=self.removed,
            reason=reason,
        )

    def put_overview(self, overview: Overview) -> None:
        """Write the files in the root but for the checksums."""
        self.put(COMPATIBILITY, compatibility.content())
        self.put(OVERVIEW, as_bytes(overview.as_json()))

    def put_checksums(
        self, parts: Mapping[str, Mapping[str, str]], root: Mapping[str, str]
    ) -> None:
        """Write parts of the checksums, and at last SHA256SUMS with them and what `root` has.

        They do not count as written.
        """
        written = self.written
        for name in sorted(parts):
            self.put(name, as_lines(parts[name]))
        self.written = written
        of_parts = {name: self.hashes[name] for name in parts}
        write_file(self.root / CHECKSUMS, as_lines({**root, **of_parts}))

    def remove(self, path: str) -> None:
        """Remove a file that is no part of this mirror any more. Raises `FileError`."""
        try:
            (self.root / path).unlink(missing_ok=True)
        except OSError as error:
            raise FileError(f"{path} cannot be removed: {error.strerror}.") from error
        self.removed += 1

    def _indexes(self, aliases: Mapping[str, Reference]) -> dict[str, TagIndex | AliasIndex]:
        """Return the indexes of all tags and of their aliases, by path."""
        indexes: dict[str, TagIndex | AliasIndex] = {}
        by_tag = defaultdict(list)
        for name, reference in aliases.items():
            if reference.name in self.versions:
                by_tag[reference.name].append(name)
                indexes[index_path(name)] = AliasIndex(name, reference)
        for tag, versions in self.versions.items():
            indexes[index_path(tag)] = TagIndex(tag, tuple(by_tag[tag]), tuple(versions))
        return indexes

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


def now() -> str:
    """Return the time as an overview states it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _refuse_other_files(root: Path) -> None:
    known = {*FOLDERS, OVERVIEW, COMPATIBILITY, CHECKSUMS}
    for name in _names(root):
        if name not in known and not name.startswith("."):
            raise SettingsError(
                f"{root} holds {name}, which is not part of a mirror: expected an empty folder, or "
                "one with a mirror."
            )
    for name in sorted(known):
        if (root / name).is_symlink():
            raise SettingsError(
                f"{root / name} is a symbolic link, through which files elsewhere would be "
                "replaced: remove it."
            )


def _names(folder: Path) -> list[str]:
    """Return the names of what is in a folder, or nothing if there is no such folder."""
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}.") from error
