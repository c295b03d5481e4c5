"""Compute the bump of a new version: what it means for users of the previous one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from registry.domain.diff import diff_targets
from registry.domain.document import Json, is_same_json
from registry.domain.keys.build_key import Build, compute_build
from registry.domain.keys.tuning import count_preimages, tuning_keys
from registry.domain.kinds.kinds import ANNOTATION, Kinds
from registry.domain.resolution.composition import is_mixin
from registry.domain.version_number import Bump
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True, slots=True)
class Edition:
    """The parts of a version that are compared to compute a bump.

    `tuning_keys`, by pointer, and `build` are those that were computed when it was published,
    under the kinds of that time.
    """

    source: Json
    lineage: tuple[str, ...]
    target: Json
    tuning_keys: Mapping[str, str]
    build: Build

    @classmethod
    def of(cls, source: Json, lineage: tuple[str, ...], target: Json, kinds: Kinds) -> Edition:
        """Return an edition that is to be published under these kinds."""
        keys, build = tuning_keys(target, kinds), compute_build(target, kinds)
        return cls(source, lineage, target, keys, build)


def compute_bump(old: Edition | None, new: Edition, kinds: Kinds) -> Bump | None:
    """Return the bump from one edition to the next, or None if nothing changed.

    It is the greater of the bump under today's kinds and the bump between what is stored, so that
    it never understates a change of the kinds in between.
    """
    if old is None:
        return Bump.FIRST
    if _is_unchanged(old, new):
        return None
    if is_mixin(old.target) != is_mixin(new.target):
        return Bump.MAJOR
    if is_mixin(new.target):
        return _mixin_bump(old.target, new.target, kinds)
    if loses_records(old, new, kinds):
        return Bump.MAJOR
    if old.build.digest != new.build.digest or _builds_differ(old.target, new.target, kinds):
        return Bump.MINOR
    return Bump.PATCH


def _is_unchanged(old: Edition, new: Edition) -> bool:
    return (
        is_same_json(old.source, new.source)
        and old.lineage == new.lineage
        and is_same_json(old.target, new.target)
        and old.tuning_keys == new.tuning_keys
    )


def loses_records(old: Edition, new: Edition, kinds: Kinds) -> bool:
    """Return whether some tuning records of an edition do not match the next one.

    That is so if a stored key is gone, or the preimage of a leaf under today's kinds, which leaves
    without a key have too. Keys and preimages are counted.
    """
    return bool(
        lost_keys(old.tuning_keys, new.tuning_keys) or lost_preimages(old.target, new.target, kinds)
    )


def lost_keys(old: Mapping[str, str], new: Mapping[str, str]) -> Counter[str]:
    """Count the tuning keys of a version, given by pointer, that another one no longer has."""
    return Counter(old.values()) - Counter(new.values())


def lost_preimages(old: Json, new: Json, kinds: Kinds) -> Counter[str]:
    """Count the old target's preimages, by digest, that the new target no longer has."""
    return count_preimages(old, kinds) - count_preimages(new, kinds)


def find_loss(
    editions: Mapping[VersionNumber, Edition], kinds: Kinds
) -> tuple[VersionNumber, VersionNumber] | None:
    """Return the lowest two neighbours of a MAJOR of which the higher loses records of the lower.

    None if there are none. Then the highest of the MAJOR has the records of all others: what each
    step keeps, all of them keep.
    """
    for lower, higher in pairwise(sorted(editions)):
        if lower.major == higher.major and loses_records(editions[lower], editions[higher], kinds):
            return lower, higher
    return None


def _builds_differ(old: Json, new: Json, kinds: Kinds) -> bool:
    return compute_build(old, kinds).digest != compute_build(new, kinds).digest


def _mixin_bump(old: Json, new: Json, kinds: Kinds) -> Bump:
    """Compare the options themselves: a mixin has no tuning keys until a target uses it."""
    differences = diff_targets(old, new, kinds)
    if any(change.affects_tuning for change in differences):
        return Bump.MAJOR
    if any(set(change.consumers) - {ANNOTATION} for change in differences):
        return Bump.MINOR
    return Bump.PATCH
