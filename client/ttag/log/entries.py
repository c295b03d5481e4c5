"""Leaves: events as the log commits to them, in bundles of 256."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ttag.canonical_json import canonical
from ttag.log.notes import Malformed

STATING = frozenset({"version.published", "version.redacted"})  # actions that give a digest


def bundle(leaves: Iterable[bytes]) -> bytes:
    """Return the bundle of some leaves."""
    return b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves)


def split_bundle(data: bytes) -> Iterator[bytes]:
    """Yield the leaves of a bundle. Raises `Malformed` if bytes are missing."""
    place = 0
    while place < len(data):
        length = int.from_bytes(data[place : place + 2], "big")
        leaf = data[place + 2 : place + 2 + length]
        if len(data) < place + 2 or len(leaf) < length:
            raise Malformed("the bundle ends within a leaf")
        yield leaf
        place += 2 + length


def read_leaf(data: bytes) -> Mapping[str, Any]:
    """Return the members of a leaf. Raises `Malformed` if it is not canonical JSON."""
    try:
        leaf = json.loads(data)
        if isinstance(leaf, dict) and canonical(leaf) == data:
            return leaf
    except (ValueError, RecursionError, TypeError):
        pass
    raise Malformed("the leaf is not a canonical JSON object")


def states(leaf: Mapping[str, Any], event: int, tag: str, version: str, digest: str) -> bool:
    """Return whether a leaf is that of an event, and says that a version has a digest."""
    return (
        type(leaf.get("event")) is int
        and leaf["event"] == event
        and leaf.get("action") in STATING
        and (leaf.get("tag"), leaf.get("version"), leaf.get("digest")) == (tag, version, digest)
    )
