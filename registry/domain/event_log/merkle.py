"""Merkle trees as RFC 6962 (section 2.1) hashes them, held as compact ranges.

The compact range of a tree is the list of its largest complete subtrees, from left to right: one
hash for each bit of its size. It is all that a tree needs to grow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

HASH_SIZE = 32  # bytes
LEAF_PREFIX, NODE_PREFIX = b"\x00", b"\x01"


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(LEAF_PREFIX + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two others."""
    return hashlib.sha256(NODE_PREFIX + left + right).digest()


def complete_root(hashes: Iterable[bytes]) -> bytes:
    """Return the root over hashes whose number is a power of two."""
    level = list(hashes)
    while len(level) > 1:
        level = [node_hash(*pair) for pair in zip(level[::2], level[1::2], strict=True)]
    return level[0]


@dataclass(frozen=True, slots=True)
class CompactRange:
    """A tree of some size, as the roots of its largest complete subtrees, the largest first."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    @classmethod
    def decode(cls, size: int, data: bytes) -> CompactRange:
        """Return the range of a size from its encoded hashes. Raises `ValueError` if they differ
        in number from the bits of the size."""
        hashes = tuple(data[i : i + HASH_SIZE] for i in range(0, len(data), HASH_SIZE))
        if len(data) != HASH_SIZE * size.bit_count():
            raise ValueError(f"{len(data)} bytes are no compact range of {size} leaves")
        return cls(size, hashes)

    def encode(self) -> bytes:
        """Return the hashes, one after the other."""
        return b"".join(self.hashes)

    def extend(self, leaf_hashes: Iterable[bytes]) -> CompactRange:
        """Return the tree with more leaves."""
        size, stack = self.size, list(self.hashes)
        for leaf in leaf_hashes:
            node, height = leaf, size
            while height & 1:  # a complete subtree of the same size stands left of it
                node, height = node_hash(stack.pop(), node), height >> 1
            stack.append(node)
            size += 1
        return CompactRange(size, tuple(stack))

    @property
    def root(self) -> bytes:
        """Return the root of the tree; that of an empty one is the hash of nothing."""
        if not self.hashes:
            return hashlib.sha256().digest()
        return reduce(lambda right, left: node_hash(left, right), reversed(self.hashes))
