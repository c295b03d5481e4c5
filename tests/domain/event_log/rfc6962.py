"""RFC 6962, section 2.1, as it is written: recursive, over all leaves. For comparison."""

import hashlib
from collections.abc import Sequence


def mth(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle tree hash of leaves."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def split(count: int) -> int:
    """Return the largest power of two smaller than a number."""
    return 1 << ((count - 1).bit_length() - 1)


def path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return the audit path of a leaf (2.1.1)."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return [*path(index, leaves[:k]), mth(leaves[k:])]
    return [*path(index - k, leaves[k:]), mth(leaves[:k])]


def consistency(size: int, leaves: Sequence[bytes], *, is_whole: bool = True) -> list[bytes]:
    """Return the proof that a tree is an extension of its first leaves (2.1.2)."""
    if size == len(leaves):
        return [] if is_whole else [mth(leaves)]
    k = split(len(leaves))
    if size <= k:
        return [*consistency(size, leaves[:k], is_whole=is_whole), mth(leaves[k:])]
    return [*consistency(size - k, leaves[k:], is_whole=False), mth(leaves[:k])]
