"""The format `consumers`: the values of a target under each component that reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttag.canonical_json import is_same
from ttag.texts.claimed_text import Claim, Unexpected, shown
from ttag_rules.pointer import child, look_up


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the values are those of the target, all of them.

    Which component reads a value is the registry's word: kinds are not part of a target.
    """
    members = claim.members()
    pointers: set[str] = set()
    for consumer, values in members["consumers"].items():
        for pointer, value in values.items():
            try:
                matches = is_same(look_up(claim.target, pointer), value)
            except (LookupError, TypeError, ValueError):
                matches = False
            if not matches:
                raise Unexpected(f"says {shown(value)} at {shown(pointer)} for {shown(consumer)}")
            pointers.add(pointer)
    for pointer in _leaves(claim.target, ""):
        if pointer not in pointers:
            raise Unexpected(f"lacks {shown(pointer)} of the target")
    if more := set(members["tuning_irrelevant"]) - pointers:
        raise Unexpected(f"has {shown(min(more))}, which is not a value of the target")


def _leaves(value: Any, pointer: str) -> Iterator[str]:
    """Yield the pointers of all values; a list of scalars is one value, an empty object none."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, child(pointer, name))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            yield from _leaves(item, child(pointer, index))
    else:
        yield pointer
