"""Compute the bump of a new version: what it means for users of the previous one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from registry.domain.checks import mixin_kinds
from registry.domain.composition import is_mixin
from registry.domain.diff import diff_targets
from registry.domain.document import Json, is_same_json
from registry.domain.kinds import ANNOTATION, Kinds
from registry.domain.pointer import ROOT, child
from registry.domain.tuning import tuning_keys
from registry.domain.version_number import Bump


@dataclass(frozen=True, slots=True)
class Edition:
    """The parts of a version that are compared to compute a bump."""

    source: Json
    lineage: tuple[str, ...]
    target: Json


def compute_bump(old: Edition | None, new: Edition, kinds: Kinds) -> Bump | None:
    """Return the bump from one edition to the next, or None if nothing changed."""
    if old is None:
        return Bump.FIRST
    if (
        is_same_json(old.source, new.source)
        and old.lineage == new.lineage
        and is_same_json(old.target, new.target)
    ):
        return None
    if is_mixin(old.target) != is_mixin(new.target):
        return Bump.MAJOR
    if is_mixin(new.target):
        return _mixin_bump(old.target, new.target, kinds)
    if lost_keys(old.target, new.target, kinds):
        return Bump.MAJOR
    if not is_same_json(_consumed(old.target, kinds), _consumed(new.target, kinds)):
        return Bump.MINOR
    return Bump.PATCH


def lost_keys(old: Json, new: Json, kinds: Kinds) -> Counter[str]:
    """Return the old tuning keys, counted, that the new target no longer has."""
    before = Counter(tuning_keys(old, kinds).values())
    return before - Counter(tuning_keys(new, kinds).values())


def _consumed(target: Json, kinds: Kinds) -> Json:
    """Return a target without the options that no compiler component reads, such as hardware."""

    def without_annotations(value: Any, pointer: str) -> Any:
        if isinstance(value, list):
            return [
                without_annotations(item, child(pointer, index)) for index, item in enumerate(value)
            ]
        if not isinstance(value, dict):
            return value
        return {
            key: without_annotations(item, child(pointer, key))
            for key, item in value.items()
            if not _is_annotation(target, child(pointer, key), kinds)
        }

    result: Json = without_annotations(target, ROOT)
    return result


def _is_annotation(target: Json, pointer: str, kinds: Kinds) -> bool:
    options = kinds.options_at(target, pointer)
    return bool(options) and all(option.is_annotation for option in options)


def _mixin_bump(old: Json, new: Json, kinds: Kinds) -> Bump:
    """Compare the options themselves: a mixin has no tuning keys until a target uses it."""
    differences = diff_targets(old, new, kinds, root_kinds=root_kinds(old, new, kinds))
    if any(change.affects_tuning for change in differences):
        return Bump.MAJOR
    if any(set(change.consumers) - {ANNOTATION} for change in differences):
        return Bump.MINOR
    return Bump.PATCH


def root_kinds(old: Json, new: Json, kinds: Kinds) -> frozenset[str]:
    """Return the kinds that two mixins can be applied to; empty unless both are mixins.

    The options of a mixin are looked up in these kinds.
    """
    if not is_mixin(old) or not is_mixin(new):
        return frozenset()
    return frozenset((*mixin_kinds(old, kinds), *mixin_kinds(new, kinds)))
