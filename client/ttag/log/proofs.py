"""Proofs of inclusion and of consistency (RFC 6962, sections 2.1.1 and 2.1.2).

Whoever verifies a proof trusts only roots: hashes from anywhere that do not belong to the tree make
it fail. The algorithms that verify are those of RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttag.log.tree import EMPTY_ROOT, ReadHash, node_hash, range_root, split


def inclusion_proof(index: int, size: int, read: ReadHash) -> list[bytes]:
    """Return the proof that a tree has a leaf, from the hashes of its nodes."""
    proof, first, end = [], 0, size
    while end - first > 1:
        middle = first + split(end - first)
        if index < middle:
            proof.append(range_root(middle, end, read))
            end = middle
        else:
            proof.append(range_root(first, middle, read))
            first = middle
    return proof[::-1]


def consistency_proof(old: int, new: int, read: ReadHash) -> list[bytes]:
    """Return the proof that a tree continues one that was smaller, but not empty."""
    proof, first, end, is_whole = [], 0, new, True
    while old != end:
        middle = first + split(end - first)
        if old <= middle:
            proof.append(range_root(middle, end, read))
            end = middle
        else:
            proof.append(range_root(first, middle, read))
            first, is_whole = middle, False
    if not is_whole:
        proof.append(range_root(first, end, read))
    return proof[::-1]


def is_included(leaf: bytes, index: int, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that the tree with a root has a leaf, given by its hash."""
    if not 0 <= index < size:
        return False
    place, last, computed = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            computed = node_hash(sibling, computed)
            place, last = _skip_levels(place, last)
        else:
            computed = node_hash(computed, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and computed == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Return whether a proof shows that a tree of `new` leaves begins with one of `old` leaves.

    Trees of the same size need an empty proof, and so does one that continues an empty tree.
    """
    if old == new:
        return old_root == new_root and not proof
    if old == 0:
        return old_root == EMPTY_ROOT and not proof
    if not 0 < old < new:
        return False
    hashes = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    computed_old = computed_new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            computed_old = node_hash(sibling, computed_old)
            computed_new = node_hash(sibling, computed_new)
            place, last = _skip_levels(place, last)
        else:
            computed_new = node_hash(computed_new, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and computed_old == old_root and computed_new == new_root


def _skip_levels(place: int, last: int) -> tuple[int, int]:
    """Go up while the node at the right edge has no sibling: it is its own parent then."""
    while place and not place & 1:
        place, last = place >> 1, last >> 1
    return place, last
