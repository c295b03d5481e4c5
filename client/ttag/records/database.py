"""The databases of MetaSchedule, read without TVM: two files with one JSON value in each line.

    database_workload.json          [hash, module]
    database_tuning_record.json     [workload, [trace, seconds, target, arguments]]

A record states its workload by the index of a line of the first file. Seconds, target and
arguments may be null. The records of each tuning key may have a folder of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttag.canonical_json import canonical
from ttag.errors import FileError, SettingsError, echo

KEY = re.compile(r"tk[0-9]+:[0-9a-f]{64}")
FOLDER = re.compile(r"tk[0-9]+-[0-9a-f]{64}")
WORKLOADS, RECORDS = "database_workload.json", "database_tuning_record.json"
MAX_LINE = 256 * 1024 * 1024  # bytes; a workload holds the constants of its function
FAILED = 1e10  # seconds; TVM writes them for a schedule that could not be built or run
# A name, and a leaf with a key of its own: neither has a part in the tuning key of the leaf.
NOT_TUNED = frozenset({"tag", "host"})


@dataclass(frozen=True, slots=True)
class Record:
    """A tuning record of MetaSchedule.

    `target` is the JSON of the leaf that it was made for, without name and host; empty if the
    record states none. `has_failed` says that there is no measurement.
    """

    line: int
    workload: int
    target: str
    has_failed: bool


@dataclass(frozen=True, slots=True)
class Database:
    """The workloads of a database, by their hashes, and its records, as they were read."""

    folder: Path
    workloads: tuple[str, ...]
    records: tuple[Record, ...]

    @classmethod
    def read(cls, folder: Path | str) -> Database:
        """Read a database. Raises `FileError`, which names the line."""
        folder = Path(folder)
        if not folder.is_dir():
            raise FileError(f"{folder} is not a folder: expected one with {WORKLOADS}.")
        workloads = tuple(_workload(value, place) for _, place, value in _lines(folder / WORKLOADS))
        records = tuple(
            _record(value, line, place, len(workloads))
            for line, place, value in _lines(folder / RECORDS)
        )
        return cls(folder, workloads, records)


def _lines(path: Path) -> Iterator[tuple[int, str, Any]]:
    """Yield the number of each line, its place for errors, and its JSON."""
    try:
        with path.open("rb") as file:
            line = 0
            while text := file.readline(MAX_LINE + 1):
                line += 1
                place = f"{path}:{line}"
                if len(text) > MAX_LINE:
                    raise FileError(f"{place} has more than {MAX_LINE} bytes.")
                yield line, place, _parse(text, place)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error


def _parse(text: bytes, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        end = "" if text.endswith(b"\n") else " The file ends there, in the middle of a line."
        raise FileError(f"{place} is not JSON.{end}") from error


def _workload(value: Any, place: str) -> str:
    match value:
        case [str(structural_hash), str()]:
            return structural_hash
    raise FileError(f"{place} is not a workload: expected a hash and a module, as TVM writes them.")


def _record(value: Any, line: int, place: str, workloads: int) -> Record:
    match value:
        case [
            int(workload),
            [_, list() | None as seconds, dict() | None as target, list() | None],
        ] if not isinstance(workload, bool):
            pass
        case _:
            raise FileError(
                f"{place} is not a tuning record: expected the index of a workload, and trace, "
                "seconds, target and arguments."
            )
    if not 0 <= workload < workloads:
        raise FileError(
            f"{place} is for workload {workload}, but {WORKLOADS} has only {workloads}."
        )
    return Record(line, workload, _leaf(target, place), not _is_measured(seconds, place))


def _is_measured(seconds: list[Any] | None, place: str) -> bool:
    """Return whether there are times, all of them possible. Raises `FileError` for what is none."""
    for each in seconds or ():
        if isinstance(each, bool) or not isinstance(each, int | float):
            raise FileError(f"{place} has {echo(each)} among its seconds, which is no number.")
    return bool(seconds) and all(0 <= each < FAILED for each in seconds or ())


def _leaf(target: dict[str, Any] | None, place: str) -> str:
    if target is None:
        return ""
    own = {name: value for name, value in target.items() if name not in NOT_TUNED}
    try:
        return canonical(own).decode()
    except (ValueError, RecursionError) as error:
        raise FileError(f"{place} has a target that is not JSON: {error}.") from error


def folder_name(key: str) -> str:
    """Return the name of the folder of a key: the key, with a hyphen in place of the colon."""
    if not KEY.fullmatch(key):
        raise SettingsError(
            f"{key!r} is not a tuning key: expected tk1: and 64 hexadecimal digits."
        )
    return key.replace(":", "-")


def database_for(key: str, root: Path | str = "records") -> Path:
    """Return the folder of a key's records below `root`. It need not exist yet."""
    return Path(root) / folder_name(key)


def databases_in(root: Path) -> list[Database]:
    """Return the database in a folder, and those of keys below it. Raises `FileError`."""
    folders = [root, *(each for each in sorted(root.glob("tk*")) if key_of_folder(each))]
    return [Database.read(folder) for folder in folders if (folder / RECORDS).is_file()]


def key_of_folder(folder: Path) -> str:
    """Return the key that a folder is named after, or nothing."""
    name = folder.resolve().name
    return name.replace("-", ":") if FOLDER.fullmatch(name) else ""
