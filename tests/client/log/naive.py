"""RFC 6962, sections 2.1 to 2.1.2, as the formulas stand there: over lists, recursively."""

import hashlib
from collections.abc import Sequence


def root(leaves: Sequence[bytes]) -> bytes:
    """Return MTH(D)."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = largest_power(len(leaves))
    return hashlib.sha256(b"\x01" + root(leaves[:k]) + root(leaves[k:])).digest()


def path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return PATH(m, D)."""
    if len(leaves) == 1:
        return []
    k = largest_power(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), root(leaves[k:])]
    return [*path(m - k, leaves[k:]), root(leaves[:k])]


def proof(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return PROOF(m, D)."""
    return subproof(m, leaves, is_whole=True)


def subproof(m: int, leaves: Sequence[bytes], *, is_whole: bool) -> list[bytes]:
    """Return SUBPROOF(m, D, b)."""
    if m == len(leaves):
        return [] if is_whole else [root(leaves)]
    k = largest_power(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], is_whole=is_whole), root(leaves[k:])]
    return [*subproof(m - k, leaves[k:], is_whole=False), root(leaves[:k])]


def largest_power(n: int) -> int:
    """Return the largest power of two below n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k
