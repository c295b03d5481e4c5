"""The hashes of a Merkle tree (RFC 6962, section 2.1).

A node is named by its height and its index there: it covers the leaves from `index * 2**height`.
A function that reads hashes takes both, and is only ever asked for nodes whose leaves all exist.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

HASH_SIZE = 32  # bytes
EMPTY_ROOT = hashlib.sha256(b"").digest()

ReadHash = Callable[[int, int], bytes]


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node, from those of its children."""
    return hashlib.sha256(b"\1" + left + right).digest()


def perfect_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root above a power of two of hashes."""
    while len(hashes) > 1:
        hashes = [node_hash(*hashes[place : place + 2]) for place in range(0, len(hashes), 2)]
    return hashes[0]


def range_root(first: int, end: int, read: ReadHash) -> bytes:
    """Return the root of the leaves from `first` up to `end`, which is a subtree of some tree.

    The left part of each split is perfect, so a few hashes do, however many leaves there are.
    """
    size = end - first
    if size == 0:
        return EMPTY_ROOT
    if size & (size - 1) == 0:
        height = size.bit_length() - 1
        return read(height, first >> height)
    middle = first + split(size)
    return node_hash(range_root(first, middle, read), range_root(middle, end, read))


def split(size: int) -> int:
    """Return how many of some leaves, at least two, the left child of their root covers."""
    return 1 << (size - 1).bit_length() - 1
