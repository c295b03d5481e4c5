"""Find the inherited value that a version's own value overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.resolution.body_references import Relation
from ttag_rules.pointer import PointerUnknown, look_up


@dataclass(frozen=True, slots=True)
class OverriddenValue:
    """A value before it was overridden, and the exact reference of the version that has it."""

    exact: str
    value: Json


def overridden_value(
    pointer: str, uses: Iterable[Mapping[str, str]], parents: Mapping[str, Json]
) -> OverriddenValue | None:
    """Return the parent's value that a version's own value overrides; None if there is none.

    `uses` are the version's dependencies in order, `parents` the targets of the versions that it
    inherits from, by exact reference. The parents of the nearest node are searched, last one first.
    """
    enclosing = [
        use
        for use in uses
        if use["relation"] == Relation.INHERITS and pointer.startswith(f"{use['pointer']}/")
    ]
    node = max((use["pointer"] for use in enclosing), key=len, default="")
    for use in reversed([use for use in enclosing if use["pointer"] == node]):
        try:
            value = look_up(parents[use["resolved"]], pointer[len(node) :])
        except (KeyError, PointerUnknown):
            continue
        if not isinstance(value, dict):  # objects are merged, or are edits of a list
            return OverriddenValue(use["resolved"], value)
    return None
