"""A client of the log that trusts nothing but hashes and signatures: it reads files, and proves.

Proofs are made from tiles as RFC 6962 (2.1.1, 2.1.2) says, and verified as RFC 9162 (2.1.3.2,
2.1.4.2) says; neither uses the registry's code for trees.
"""

import hashlib
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.domain.event_log.notes import Checkpoint, Verifier, is_signed_by
from registry.domain.event_log.tiles import WIDTH, Tile
from tests.domain.event_log.rfc6962 import split

Read = Callable[[str], bytes]  # a path below log/, or an error


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


@dataclass(frozen=True)
class Log:
    """A log whose checkpoint has a valid signature of its own newest key."""

    read: Read
    checkpoint: Checkpoint

    @classmethod
    def open(cls, read: Read) -> "Log":
        note, keys = read("checkpoint").decode(), json.loads(read("keys"))
        verifier = Verifier.parse(keys["keys"][-1]["key"])
        assert is_signed_by(note, verifier), note
        checkpoint = Checkpoint.parse(note)
        assert checkpoint.origin == keys["origin"]
        return cls(read, checkpoint)

    @property
    def size(self) -> int:
        return self.checkpoint.size

    def tile(self, level: int | None, index: int) -> bytes:
        hashes = self.size // WIDTH ** (level or 0)
        tile = Tile(level, index, min(WIDTH, hashes - index * WIDTH))
        return self.read(f"tile/{tile.path}")

    def event(self, number: int) -> dict[str, Any]:
        """Return the leaf of an event, proven to be in the tree."""
        data = self.entry(number - 1)
        path = self.inclusion(0, self.size, number - 1)
        assert included(leaf(data), number - 1, self.size, path, self.checkpoint.root)
        found: dict[str, Any] = json.loads(data)
        assert found["event"] == number
        return found

    def entry(self, index: int) -> bytes:
        rest = self.tile(None, index // WIDTH)
        for _ in range(index % WIDTH + 1):
            (length,) = struct.unpack(">H", rest[:2])
            data, rest = rest[2 : 2 + length], rest[2 + length :]
        return data

    def hash(self, start: int, end: int) -> bytes:
        """Return the hash over some leaves, from the highest tiles that have it."""
        count = end - start
        if count & (count - 1) == 0 and start % count == 0:
            level = (count.bit_length() - 1) // 8
            width = WIDTH**level
            index, number = start // width, count // width
            tile = self.tile(level, index // WIDTH)
            first = index % WIDTH * 32
            row = [tile[i : i + 32] for i in range(first, first + number * 32, 32)]
            while len(row) > 1:
                row = [node(*pair) for pair in zip(row[::2], row[1::2], strict=True)]
            return row[0]
        k = split(count)
        return node(self.hash(start, start + k), self.hash(start + k, end))

    def inclusion(self, start: int, end: int, index: int) -> list[bytes]:
        if end - start == 1:
            return []
        middle = start + split(end - start)
        if index < middle:
            return [*self.inclusion(start, middle, index), self.hash(middle, end)]
        return [*self.inclusion(middle, end, index), self.hash(start, middle)]

    def consistency(self, start: int, end: int, size: int, *, is_whole: bool) -> list[bytes]:
        if size == end - start:
            return [] if is_whole else [self.hash(start, end)]
        k = split(end - start)
        if size <= k:
            below = self.consistency(start, start + k, size, is_whole=is_whole)
            return [*below, self.hash(start + k, end)]
        below = self.consistency(start + k, end, size - k, is_whole=False)
        return [*below, self.hash(start, start + k)]

    def extends(self, older: Checkpoint) -> bool:
        """Return whether the tree is an older one with more leaves, as a proof shows."""
        if older.size > self.size:
            return False
        proof = self.consistency(0, self.size, older.size, is_whole=True)
        return consistent(older.size, older.root, self.size, self.checkpoint.root, proof)


def included(hashed: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    fn, sn = index, size - 1
    for each in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            hashed = node(each, hashed)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            hashed = node(hashed, each)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and hashed == root


def consistent(first: int, old: bytes, second: int, new: bytes, proof: list[bytes]) -> bool:
    if first == second:
        return not proof and old == new
    if first & (first - 1) == 0:
        proof = [old, *proof]
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = proof[0]
    for each in proof[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node(each, fr), node(each, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, each)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == old and sr == new
