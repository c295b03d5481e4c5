"""Bundles of code for several GPUs, as clang-offload-bundler writes them, compressed or not.

Only the names of the parts are read, which stand at the beginning. Each is a target ID.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from struct import Struct
from typing import Any

from ttag.errors import FileError
from ttag.inspect.programs import whole

MAGIC, COMPRESSED_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"
EITHER = re.compile(MAGIC + b"|" + COMPRESSED_MAGIC)
COUNT, ENTRY = Struct("<Q"), Struct("<QQQ")  # of an entry: offset, size, length of its name
MAX_BUNDLES = 10_000  # of a section; libraries have one for each source file
MAX_ENTRIES = 10_000
MAX_NAME = 1000
MAX_UNPACKED = 2**16  # bytes of a compressed bundle, for the names of a thousand parts
# After magic, version and method: the size of the file, that of the content, a hash.
FIELDS = Struct("<4sHH")
SIZES = {1: Struct("<IQ"), 2: Struct("<IIQ"), 3: Struct("<QQQ")}
WITHOUT_SIZE = 1  # the version whose bundles do not tell their own
ZSTD_MODULES = ("compression.zstd", "backports.zstd")  # of Python 3.14, and of PyPI


class Method(IntEnum):
    """A way in which bundles are compressed."""

    ZLIB = 0
    ZSTD = 1


@dataclass(frozen=True, slots=True)
class NotRead:
    """A bundle that is whole, as far as one can tell, and cannot be read here."""

    place: str
    reason: str

    def __str__(self) -> str:
        """Return a note for people."""
        return f"{self.place} has compressed code that was not read: {self.reason}."


def bundled(section: bytes, place: str) -> Iterator[str | NotRead]:
    """Yield the names of the parts of all bundles in a section: `hipv4-amdgcn-amd-amdhsa--gfx90a`.

    Raises `FileError` if one is damaged.
    """
    content = memoryview(section)  # slices of it copy nothing
    position, count = _next(section, 0), 0
    while position < len(section):
        count += 1
        if count > MAX_BUNDLES:
            raise FileError(f"{place} has more than {MAX_BUNDLES} bundles.")
        if section.startswith(MAGIC, position):
            bundle = _Bundle.read(content[position:], place)
            whole(content, position, bundle.size, place)
            yield from bundle.names
            position = _next(section, position + bundle.size)
        else:
            size, parts = _compressed(content[position:], place)
            yield from parts
            position = _next(section, position + size)


def _next(section: bytes, start: int) -> int:
    """Return the position of the next bundle, or the end."""
    match = EITHER.search(section, start)  # stops at the first, where two searches would not
    return match.start() if match else len(section)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """The names of the parts of a bundle, and its size."""

    names: tuple[str, ...]
    size: int

    @classmethod
    def read(cls, content: memoryview, place: str) -> _Bundle:
        """Read the beginning of a bundle, which may be all that there is of it."""
        position = len(MAGIC)
        (count,) = COUNT.unpack(whole(content, position, COUNT.size, place))
        if count > MAX_ENTRIES:
            raise FileError(f"{place} has more than {MAX_ENTRIES} parts.")
        position += COUNT.size
        names, size = [], 0
        for _ in range(count):
            offset, length, name_length = ENTRY.unpack(whole(content, position, ENTRY.size, place))
            if name_length > MAX_NAME:
                raise FileError(f"{place} has a part with a name of {name_length} bytes.")
            name = whole(content, position + ENTRY.size, name_length, place)
            names.append(bytes(name).decode(errors="replace"))
            position += ENTRY.size + name_length
            size = max(size, offset + length)
        return cls(tuple(names), max(size, position))


def _compressed(content: memoryview, place: str) -> tuple[int, tuple[str | NotRead, ...]]:
    """Return the size of a compressed bundle, and the names of its parts or why there are none."""
    _, version, method = FIELDS.unpack(whole(content, 0, FIELDS.size, place))
    if version not in SIZES:
        return FIELDS.size, (NotRead(place, f"version {version} of its form is not known"),)
    sizes = SIZES[version]
    first, *_ = sizes.unpack(whole(content, FIELDS.size, sizes.size, place))
    start = FIELDS.size + sizes.size
    size = start if version == WITHOUT_SIZE else max(first, start)
    packed = content[start:] if version == WITHOUT_SIZE else whole(content, 0, size, place)[start:]
    if method not in {*Method}:
        return size, (NotRead(place, f"its method {method} is not known"),)
    decompressor = zlib.decompressobj() if method == Method.ZLIB else _zstd_decompressor()
    if decompressor is None:
        return size, (NotRead(place, "it is compressed with zstd, which Python 3.14 reads"),)
    return size, _Bundle.read(memoryview(_unpacked(decompressor, packed, place)), place).names


def _unpacked(decompressor: Any, packed: memoryview, place: str) -> bytes:
    """Return the beginning of a compressed bundle, of which no more is unpacked."""
    try:
        unpacked: bytes = decompressor.decompress(packed[:MAX_UNPACKED], MAX_UNPACKED)
    except Exception as error:  # of zlib, or of zstd, which is imported where it exists
        raise FileError(f"{place} has damaged compressed code: {error}.") from error
    if not unpacked.startswith(MAGIC):
        raise FileError(f"{place} has compressed code that is no bundle.")
    return unpacked


def _zstd_decompressor() -> Any | None:
    """Return what unpacks zstd; None without a module for it."""
    for name in ZSTD_MODULES:
        try:
            return import_module(name).ZstdDecompressor()
        except ImportError:
            continue
    return None
