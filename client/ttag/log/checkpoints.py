"""Checkpoints: the size and the root of a log, signed (C2SP tlog-checkpoint)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ttag.log.notes import SIGNATURE_SIZE, Key, Malformed, Note, decode_base64
from ttag.log.tree import EMPTY_ROOT, HASH_SIZE

MAX_SIZE = 2**53 - 1  # events; what JSON and TOML hold exactly
SIZE = re.compile(r"0|[1-9][0-9]{0,15}")
ORIGIN = re.compile(r"[^\s+]{1,255}")


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree as a checkpoint or a lock states it: the origin of its log, its size and its root."""

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        """Raise `Malformed` for what no log states."""
        if not ORIGIN.fullmatch(self.origin):
            raise Malformed("an origin must have no space and no plus")
        if not 0 <= self.size <= MAX_SIZE:
            raise Malformed(f"the size {self.size} is not from 0 to {MAX_SIZE}")
        if len(self.root) != HASH_SIZE:
            raise Malformed(f"a root must have {HASH_SIZE} bytes")
        if self.size == 0 and self.root != EMPTY_ROOT:
            raise Malformed("its root is not that of an empty tree")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree, the note that states it, and the bytes of both."""

    tree: Tree
    note: Note
    data: bytes

    @classmethod
    def parse(cls, data: bytes) -> Checkpoint:
        """Read a checkpoint, whoever has signed it. Raises `Malformed`."""
        note = Note.parse(data)
        lines = note.text.removesuffix("\n").split("\n")
        if len(lines) < 3 or not all(lines):  # further lines are extensions, which are ignored
            raise Malformed("it needs the lines origin, size and root")
        if not SIZE.fullmatch(lines[1]):
            raise Malformed(f"its size is {lines[1][:40]!r}, which is not a number of events")
        return cls(Tree(lines[0], int(lines[1]), decode_base64(lines[2])), note, data)

    def signature_by(self, key: Key) -> bytes:
        """Return the signature that names a key, or raise `Malformed`."""
        match self.note.signatures_by(key):
            case [signature] if len(signature) == SIGNATURE_SIZE:
                return signature
            case _:
                raise Malformed(f"it has no signature by the key {key}")
