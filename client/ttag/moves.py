"""Moves of references between versions, and their effect on builds and tuning records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ttag.errors import TtagError
from ttag.references import whole_of
from ttag.registry.registry import Registry
from ttag.resolution import Resolution
from ttag.responses.changes import Change
from ttag.sources import Source

ROOT = "the root"  # what people read for the empty pointer
BUMPS = {"": "PATCH", "PATCH": "PATCH", "MINOR": "MINOR", "MAJOR": "MAJOR"}  # empty: equal


@dataclass(frozen=True, slots=True)
class Move:
    """A move between versions. `bump` is PATCH, MINOR or MAJOR.

    Tuning keys are compared as published, because records have been made with those. `changes` is
    empty if the registry does not say what has changed, as a mirror does not.
    """

    reference: str
    old: Resolution
    new: Resolution
    bump: str
    changes: tuple[Change, ...] = ()

    @property
    def builds_the_same(self) -> bool:
        """True if compilers make the same code of both versions."""
        same_key = bool(self.old.build_key) and self.old.build_key == self.new.build_key
        return same_key or self.is_unchanged_node

    @property
    def is_unchanged_node(self) -> bool:
        """True if this moves a node that has not changed, though the target around it has."""
        return self.old.node is not None and self.old.digest == self.new.digest

    @property
    def lost(self) -> tuple[str, ...]:
        """Pointers of the old leaves whose tuning records no longer match."""
        return _unmatched(self.old.tuning_keys, self.new.tuning_keys)

    @property
    def untuned(self) -> tuple[str, ...]:
        """Pointers of the new leaves that no tuning record of the old version matches."""
        return _unmatched(self.new.tuning_keys, self.old.tuning_keys)

    @property
    def kept(self) -> int:
        """The number of old leaves whose tuning records still match."""
        return len(self.old.tuning_keys) - len(self.lost)

    @property
    def meaning(self) -> str:
        """The work that the move requires, in a few words."""
        if self.is_unchanged_node:
            return "nothing to do"
        if self.lost:
            total = len(self.old.tuning_keys)
            leaves = ", ".join(pointer or ROOT for pointer in self.lost)
            return f"rebuild; tuning records of {len(self.lost)} of {total} leaves lost: {leaves}"
        if self.bump == "PATCH":
            return "nothing to do"
        if self.old.tuning_keys or self.bump == "MINOR":
            return "rebuild; tuning records stay valid"
        return "rebuild; without tuning keys, whether records still match is unknown"

    def as_json(self) -> dict[str, Any]:
        """Return the move for programs."""
        return {
            "reference": self.reference,
            "old": self.old.exact,
            "new": self.new.exact,
            "bump": self.bump,
            "meaning": self.meaning,
            "build_keys": {
                "old": self.old.build_key or None,
                "new": self.new.build_key or None,
                "equal": self.builds_the_same,
            },
            "tuning_keys": {
                "kept": self.kept,
                "lost": list(self.lost),
                "new": list(self.untuned),
            },
            "changes": [
                {
                    "pointer": change.pointer,
                    "old": change.old.value if change.old else None,
                    "new": change.new.value if change.new else None,
                }
                for change in self.changes
            ],
        }


def find_move(source: Source, reference: str, old: Resolution, new: Resolution) -> Move:
    """Return the move between two versions, with what the registry says about it.

    If it says nothing, the version numbers tell the bump: the registry computes them by content.
    """
    if isinstance(source, Registry):
        with suppress(TtagError, KeyError):
            difference = source.diff(whole_of(old.exact), whole_of(new.exact))
            return Move(reference, old, new, BUMPS[difference.bump], difference.changes)
    return Move(reference, old, new, _bump_by_number(old, new))


def _bump_by_number(old: Resolution, new: Resolution) -> str:
    if old.tag != new.tag:
        return "MAJOR"
    before, after = old.version.split("."), new.version.split(".")
    if before[0] != after[0]:
        return "MAJOR"
    return "PATCH" if before[1] == after[1] else "MINOR"


def _unmatched(keys: Mapping[str, str], others: Mapping[str, str]) -> tuple[str, ...]:
    """Return the pointers of keys that others do not have as often; the same pointers match first.

    Where a host and its device have one key, this says which of both has changed.
    """
    same = {pointer for pointer in keys if others.get(pointer) == keys[pointer]}
    rest = Counter(others.values())
    rest.subtract(keys[pointer] for pointer in same)
    unmatched = []
    for pointer in sorted(keys.keys() - same):
        if rest[keys[pointer]]:
            rest[keys[pointer]] -= 1
        else:
            unmatched.append(pointer)
    return tuple(unmatched)
