"""Wheels and other zip files: each program in them, read one at a time."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, cast

from ttag.errors import FileError
from ttag.inspect.elf import MAGIC

ZIP_MAGIC = b"PK\x03\x04"
MAX_MEMBERS = 100_000
MAX_MEMBER = 4 * 2**30  # bytes of one program; the largest library of PyTorch has a quarter
MAX_TOTAL = 16 * 2**30  # bytes of all programs in a wheel
CHUNK = 2**20
IN_MEMORY = 16 * 2**20  # bytes; larger programs go to a temporary file


def programs_in(stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the path and the content of each ELF file in a zip file.

    A content can be read until the next is asked for. Raises `FileError` if the file is damaged,
    or larger than any wheel.
    """
    left = MAX_TOTAL
    with _zip_errors(), zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise FileError(f"The file has more than {MAX_MEMBERS} members.")
        for member in members:
            with archive.open(member) as content:
                if content.read(len(MAGIC)) != MAGIC:
                    continue
                with _copy(content, min(MAX_MEMBER, left)) as copy:
                    left -= copy.tell()
                    yield member.filename, cast("BinaryIO", copy)


@contextmanager
def _copy(content: IO[bytes], limit: int) -> Iterator[IO[bytes]]:
    """Copy the rest of a member, whose beginning is known; a zip file's header may lie about it."""
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as copy:
        copy.write(MAGIC)
        while chunk := content.read(CHUNK):
            if copy.tell() + len(chunk) > limit:
                raise FileError(f"A member of the file has more than {limit} bytes.")
            copy.write(chunk)
        yield copy


@contextmanager
def _zip_errors() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        raise FileError(f"The file is no valid zip file: {str(error).rstrip('.')}.") from error
    except RuntimeError as error:  # a member that is encrypted
        raise FileError(f"The file cannot be read: {str(error).rstrip('.')}.") from error
