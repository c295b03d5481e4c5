"""The file of a backup: gzip'd lines of JSON, which say how many they are and what they hash to.

{"format": "target-tag-registry", "version": 1, "created": ..., "migrations": ..., "counts": ...}
{"model": "registry.user", "pk": 1, "fields": {...}}        for each row
{"rows": 4711, "sha256": "..."}                             over all lines above
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NoReturn

from registry.domain.errors import Code, Refused, echo

FORMAT = "target-tag-registry"
VERSION = 1  # of the format; a reader refuses what is newer than itself
MAX_LINE = 64 * 1024 * 1024  # bytes; the longest row, with the origin of every value, has some 10 M
LEVEL = 6  # of gzip: a third of the time that the highest level takes, for some percent more bytes

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """What an archive says of itself: how many rows of each model follow, in that order."""

    created: str
    migrations: Mapping[str, list[str]]
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many rows there are."""
        return sum(self.counts.values())


def write_archive(file: IO[bytes], header: Header, rows: Iterable[Row]) -> int:
    """Write an archive; how many rows it has. Equal headers and rows make equal bytes."""
    digest, count = hashlib.sha256(), 0
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=LEVEL, filename="", mtime=0) as out:
        for count, row in enumerate(_lines(header, rows)):  # noqa: B007 - read behind the loop
            line = _line(row)
            digest.update(line)
            out.write(line)
        out.write(_line({"rows": count, "sha256": digest.hexdigest()}))
    return count


def _lines(header: Header, rows: Iterable[Row]) -> Iterator[Row]:
    yield {"format": FORMAT, "version": VERSION, **asdict(header)}
    yield from rows


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, default=_plain).encode() + b"\n"


def _plain(value: object) -> str:
    """Moments with all of their digits: Django's own encoder cuts them to milliseconds."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in an archive")


class Archive:
    """An archive in a file. Its rows are read one by one, as often as they are asked for."""

    def __init__(self, path: Path) -> None:
        """Read the header. Raises `Refused` for what is no archive, or a newer format's."""
        self.path = path
        found = self._json(next(self._lines(), b""))
        if found.get("format") != FORMAT:
            self._refuse("is no backup of a registry")
        if found.get("version") != VERSION:
            self._refuse(
                f"has format {echo(found.get('version'))}; this registry reads format {VERSION}"
            )
        migrations, counts = found.get("migrations"), found.get("counts")
        if not isinstance(migrations, dict) or not isinstance(counts, dict):
            self._refuse("is damaged: its header says no migrations or no counts")
        self.header = Header(str(found.get("created")), migrations, counts)

    def rows(self) -> Iterator[Row]:
        """Every row, in order. Raises `Refused`, at the latest at the end, for all but the file
        as it was written: cut, changed, or with something behind it."""
        digest = hashlib.sha256()
        counts: Counter[str] = Counter()
        lines = self._lines()
        digest.update(next(lines))
        last: bytes | None = None
        for line in lines:
            if last is not None:
                digest.update(last)
                row = self._json(last)
                counts[str(row.get("model"))] += 1
                yield row
            last = line
        self._check_end(self._json(last or b""), counts, digest.hexdigest())

    def check(self) -> None:
        """Read all of it. Raises `Refused` as `rows` does."""
        for _ in self.rows():
            pass

    def _check_end(self, end: Row, counts: Counter[str], digest: str) -> None:
        if end.keys() != {"rows", "sha256"}:
            self._refuse("is cut: the line that ends a backup is missing")
        if end["rows"] != counts.total() or counts != Counter(self.header.counts):
            self._refuse(
                f"is damaged: it announces {self.header.total} rows and has {counts.total()}"
            )
        if end["sha256"] != digest:
            self._refuse(f"is damaged: its lines hash to {digest}, not {echo(end['sha256'])}")

    def _lines(self) -> Iterator[bytes]:
        try:
            with gzip.open(self.path, "rb") as file:
                while line := file.readline(MAX_LINE):
                    if not line.endswith(b"\n"):
                        self._refuse("is cut, or holds a line that no backup has")
                    yield line
        except EOFError:
            self._refuse("is cut")
        except (gzip.BadGzipFile, zlib.error) as error:
            self._refuse(f"is no backup of a registry, or damaged ({error})")
        except OSError as error:
            self._refuse(f"cannot be read: {error.strerror or error}")

    def _json(self, line: bytes) -> Row:
        try:
            value = json.loads(line)
        except ValueError:
            self._refuse("is no backup of a registry, or damaged: a line is no JSON")
        if not isinstance(value, dict):
            self._refuse("is no backup of a registry, or damaged: a line is no JSON object")
        return value

    def _refuse(self, sentence: str) -> NoReturn:
        raise Refused(Code.REQUEST_INVALID, f"{self.path} {sentence}.")
