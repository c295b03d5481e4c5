"""The archive format: damaged and foreign files are rejected."""

import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.services.operations import archive
from registry.services.operations.archive import Archive, Header

pytestmark = pytest.mark.any_database

ROWS: list[dict[str, Any]] = [
    {"model": "registry.user", "pk": 1, "fields": {"username": "alice"}},
    {"model": "registry.tag", "pk": 7, "fields": {"text": 'größe "Ⅳ"\n'}},
    {"model": "registry.tag", "pk": 8, "fields": {"text": "acme/board"}},
]
HEADER = Header(
    "2026-11-20T12:00:00Z",
    {"registry": ["0001_initial"]},
    {"registry.user": 1, "registry.tag": 2},
)


def archive_bytes() -> bytes:
    file = BytesIO()
    assert archive.write_archive(file, HEADER, ROWS) == 3
    return file.getvalue()


def lines() -> list[bytes]:
    return gzip.decompress(archive_bytes()).splitlines(keepends=True)


def write_file(folder: Path, content: bytes) -> Path:
    path = folder / "backup.gz"
    path.write_bytes(content)
    return path


def test_archive_round_trip(tmp_path: Path) -> None:
    read = Archive(write_file(tmp_path, archive_bytes()))
    assert read.header == HEADER
    assert read.header.total == 3
    assert list(read.rows()) == ROWS
    assert list(read.rows()) == ROWS, "can be read again"


def test_equal_rows_make_equal_bytes() -> None:
    assert archive_bytes() == archive_bytes()


def test_datetimes_keep_microseconds(tmp_path: Path) -> None:
    file, moment = BytesIO(), datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
    written = {"model": "registry.tag", "pk": 1, "fields": {"created": moment}}
    archive.write_archive(file, Header("", {}, {"registry.tag": 1}), [written])
    (row,) = Archive(write_file(tmp_path, file.getvalue())).rows()
    assert datetime.fromisoformat(row["fields"]["created"]) == moment


def test_unsupported_value_is_an_error() -> None:
    with pytest.raises(TypeError, match="cannot be archived"):
        archive.write_archive(BytesIO(), HEADER, [{"model": object()}])


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_truncated_file_is_rejected(tmp_path: Path, part: float) -> None:
    content = archive_bytes()
    assert_rejected(tmp_path, content[: int(len(content) * part)])


def compress_lines(*selected: bytes) -> bytes:
    return gzip.compress(b"".join(selected))


def without_last_line() -> bytes:
    return compress_lines(*lines()[:-1])


def without_one_row() -> bytes:
    first, _, *rest = lines()
    return compress_lines(first, *rest)


def with_duplicate_row() -> bytes:
    first, row, *rest = lines()
    return compress_lines(first, row, row, *rest)


def with_swapped_rows() -> bytes:
    first, one, two, three, end = lines()
    return compress_lines(first, one, three, two, end)


def with_changed_row() -> bytes:
    return compress_lines(*[line.replace(b"alice", b"mallo") for line in lines()])


def with_changed_header() -> bytes:
    return compress_lines(*[line.replace(b"0001_initial", b"0002_initial") for line in lines()])


def with_wrong_count() -> bytes:
    """Add a row with a matching hash, but an outdated count in the header."""
    first, row, *rest = lines()
    body = [first, row, row, *rest[:-1]]
    end = {"rows": 4, "sha256": hashlib.sha256(b"".join(body)).hexdigest()}
    return compress_lines(*body, json.dumps(end).encode() + b"\n")


def with_appended_row() -> bytes:
    return compress_lines(*lines(), b'{"model": "registry.tag", "pk": 9, "fields": {}}\n')


def with_appended_file() -> bytes:
    return archive_bytes() + archive_bytes()


def with_flipped_bit() -> bytes:
    content = bytearray(archive_bytes())
    content[len(content) // 2] ^= 1
    return bytes(content)


def other_json() -> bytes:
    return gzip.compress(b'{"what": "a dump of something else"}\n')


def not_json() -> bytes:
    return gzip.compress(b"CREATE TABLE registry_tag ();\n")


def json_list() -> bytes:
    return gzip.compress(b"[]\n")


def not_compressed() -> bytes:
    return b"".join(lines())


def empty_file() -> bytes:
    return b""


def newer_format() -> bytes:
    return compress_lines(*[line.replace(b'"version": 1', b'"version": 2') for line in lines()])


def without_counts() -> bytes:
    return compress_lines(*[line.replace(b'"counts"', b'"others"') for line in lines()])


def with_count_that_is_no_number() -> bytes:
    return compress_lines(*[line.replace(b'user": 1', b'user": "1"') for line in lines()])


def with_migrations_that_are_no_list() -> bytes:
    return compress_lines(*[line.replace(b'["0001_initial"]', b"null") for line in lines()])


def with_row_without_a_key() -> bytes:
    return compress_lines(*[line.replace(b'"pk": 1, ', b"") for line in lines()])


def with_row_of_a_model_that_is_not_counted() -> bytes:
    first, user, tag, *rest = lines()
    return compress_lines(first, user, tag.replace(b"registry.tag", b"registry.tig"), *rest)


def with_fields_that_are_no_object() -> bytes:
    return compress_lines(*[line.replace(b'{"username": "alice"}', b"1") for line in lines()])


def with_member_stated_twice() -> bytes:
    return compress_lines(*[line.replace(b'"pk": 1,', b'"pk": 1, "pk": 2,') for line in lines()])


def with_deep_line() -> bytes:
    first, *rest = lines()
    return compress_lines(first, b"[" * 100_000 + b"\n", *rest)


def one_long_line() -> bytes:
    return gzip.compress(b"x" * (archive.MAX_LINE + 10), compresslevel=1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (without_last_line, "is truncated"),
        (without_one_row, "counts 3 rows, but it has 2"),
        (with_duplicate_row, "counts 3 rows, but it has 4"),
        (with_swapped_rows, "hash to"),
        (with_changed_row, "hash to"),
        (with_changed_header, "hash to"),
        (with_wrong_count, "counts 3 rows, but it has 4"),
        (with_appended_row, "line 5 is no row of what it counts"),
        (with_appended_file, "is truncated|counts"),
        (with_flipped_bit, "damaged|cut"),
        (other_json, "is not a backup"),
        (not_json, "is not a backup"),
        (json_list, "is not a backup"),
        (not_compressed, "is not a backup"),
        (empty_file, "is not a backup"),
        (newer_format, "has format 2; this registry reads format 1"),
        (with_migrations_that_are_no_list, "no lists of names"),
        (with_row_without_a_key, "line 2 is no row"),
        (with_row_of_a_model_that_is_not_counted, "line 3 is no row"),
        (with_fields_that_are_no_object, "line 2 is no row"),
        (with_member_stated_twice, "a member twice"),
        (without_counts, "lacks migrations or counts"),
        (with_count_that_is_no_number, "is no number"),
        (with_deep_line, "a line is not JSON"),
        (one_long_line, "is truncated"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_damaged_file_is_rejected(
    tmp_path: Path, content: Callable[[], bytes], reason: str
) -> None:
    assert_rejected(tmp_path, content(), reason)


def assert_rejected(
    folder: Path, content: bytes, reason: str = "is truncated|not a backup|damaged"
) -> None:
    path = write_file(folder, content)
    with pytest.raises(Refused, match=reason) as refused:
        Archive(path).check()
    assert refused.value.code == Code.REQUEST_INVALID
    assert str(path) in refused.value.detail


def test_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"missing.gz cannot be read: No such file"):
        Archive(tmp_path / "missing.gz")
    with pytest.raises(Refused, match="cannot be read"):
        Archive(tmp_path)
