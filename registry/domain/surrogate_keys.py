"""The keys by which shared caches forget answers: tags, and two that no tag has as its name."""

from __future__ import annotations

from collections.abc import Collection

EVERYTHING = "registry"  # of all answers
ANY_TAG = "any-tag"  # of those that a change of any tag can change
MAX_LENGTH = 1000  # characters of all keys; nginx takes 4 KiB of headers, in which they are twice


def keys_of_answer(tags: Collection[str] | None) -> list[str]:
    """Return the keys of an answer that was read from some tags; None: from any."""
    if tags and sum(map(len, tags)) + len(tags) <= MAX_LENGTH:
        return [EVERYTHING, *sorted(tags)]
    return [EVERYTHING, ANY_TAG]


def keys_of_change(tags: Collection[str] | None) -> list[str]:
    """Return the keys to forget after a change of some tags; None: any may have changed."""
    return [EVERYTHING] if tags is None else [ANY_TAG, *sorted(tags)]
