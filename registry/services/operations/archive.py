"""The file format of backups: gzipped JSON lines, with a row count and a hash at the end.

{"format": "target-tag-registry", "version": 1, "created": ..., "migrations": ..., "counts": ...,
 "notices": ...}
{"model": "registry.user", "pk": 1, "fields": {...}}        for each row
{"rows": 4711, "sha256": "..."}                             over all lines above
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import IO, Any, NoReturn

from registry.domain.errors import Code, Refused, echo

FORMAT = "target-tag-registry"
VERSION = 1  # of the format; readers reject other versions
MAX_LINE = 64 * 1024 * 1024  # bytes; the longest possible row has about 10 MB
LEVEL = 6  # of gzip: takes a third of the time of level 9, for a few percent more bytes

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of an archive: the number of rows of each model, in order.

    `notices` name the sources of the catalogue's facts, each with its licences.
    """

    created: str
    migrations: Mapping[str, list[str]]
    counts: Mapping[str, int]
    notices: Sequence[Mapping[str, Any]] = ()

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def write_archive(file: IO[bytes], header: Header, rows: Iterable[Row]) -> int:
    """Write an archive, deterministically; return its number of rows."""
    digest, count = hashlib.sha256(), 0
    first: Row = {"format": FORMAT, "version": VERSION, **asdict(header)}
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=LEVEL, filename="", mtime=0) as out:
        for count, row in enumerate(chain([first], rows)):  # noqa: B007 - read behind the loop
            line = _line(row)
            digest.update(line)
            out.write(line)
        out.write(_line({"rows": count, "sha256": digest.hexdigest()}))
    return count


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, default=_serialize).encode() + b"\n"


def _serialize(value: object) -> str:
    """Return a datetime with microseconds; Django's own encoder truncates to milliseconds."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be archived")


def _members(pairs: list[tuple[str, Any]]) -> Row:
    """Return the object of some members. Raises `ValueError` if it has one twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is stated twice")
    return members


def _is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


class Archive:
    """An archive file, read row by row."""

    def __init__(self, path: Path) -> None:
        """Read the header. Raises `Refused` if the file is not an archive of this version."""
        self.path = path
        header = self._json(next(self._lines(), b""))
        if header.get("format") != FORMAT:
            self._refuse("is not a backup of a registry")
        if header.get("version") != VERSION:
            self._refuse(
                f"has format {echo(header.get('version'))}; this registry reads format {VERSION}"
            )
        migrations, counts = header.get("migrations"), header.get("counts")
        if not isinstance(migrations, dict) or not isinstance(counts, dict):
            self._refuse("is damaged: its header lacks migrations or counts")
        if not all(map(_is_list_of_names, migrations.values())):
            self._refuse("is damaged: the migrations of its header are no lists of names")
        if not all(type(count) is int for count in counts.values()):
            self._refuse("is damaged: a count of its header is no number")
        self.header = Header(str(header.get("created")), migrations, counts)

    def rows(self) -> Iterator[Row]:
        """Yield every row, in order. Raises `Refused`, at the end at the latest, if the file is
        damaged."""
        digest = hashlib.sha256()
        counts: Counter[str] = Counter()
        lines = self._lines()
        digest.update(next(lines))
        last: bytes | None = None
        for line in lines:
            if last is not None:
                digest.update(last)
                row = self._json(last)
                if not self._is_row(row):
                    line_number = counts.total() + 2
                    self._refuse(f"is damaged: line {line_number} is no row of what it counts")
                counts[row["model"]] += 1
                yield row
            last = line
        self._check_end(self._json(last or b""), counts, digest.hexdigest())

    def check(self) -> None:
        """Read the whole archive. Raises `Refused` as `rows` does."""
        for _ in self.rows():
            pass

    def _is_row(self, row: Row) -> bool:
        return (
            row.keys() == {"model", "pk", "fields"}
            and isinstance(row["model"], str)
            and row["model"] in self.header.counts
            and isinstance(row["fields"], dict)
        )

    def _check_end(self, end: Row, counts: Counter[str], digest: str) -> None:
        if end.keys() != {"rows", "sha256"}:
            self._refuse("is truncated: its last line is missing")
        if end["rows"] != counts.total() or counts != Counter(self.header.counts):
            self._refuse(
                f"is damaged: its header counts {self.header.total} rows, but it has "
                f"{counts.total()}"
            )
        if end["sha256"] != digest:
            self._refuse(f"is damaged: its lines hash to {digest}, not {echo(end['sha256'])}")

    def _lines(self) -> Iterator[bytes]:
        try:
            with gzip.open(self.path, "rb") as file:
                while line := file.readline(MAX_LINE):
                    if not line.endswith(b"\n"):
                        self._refuse("is truncated, or has a line that is too long")
                    yield line
        except EOFError:
            self._refuse("is truncated")
        except (gzip.BadGzipFile, zlib.error) as error:
            self._refuse(f"is not a backup of a registry, or is damaged ({error})")
        except OSError as error:
            self._refuse(f"cannot be read: {error.strerror or error}")

    def _json(self, line: bytes) -> Row:
        try:
            value = json.loads(line, object_pairs_hook=_members)
        except (ValueError, RecursionError):
            self._refuse(
                "is not a backup of a registry, or is damaged: a line is not JSON, or has a member "
                "twice"
            )
        if not isinstance(value, dict):
            self._refuse("is not a backup of a registry, or damaged: a line is not a JSON object")
        return value

    def _refuse(self, sentence: str) -> NoReturn:
        raise Refused(Code.REQUEST_INVALID, f"{self.path} {sentence}.")
