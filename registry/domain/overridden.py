"""What an own value stands in place of: that of the parent that it was inherited from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.pointer import PointerUnknown, look_up
from registry.domain.requests import Relation


@dataclass(frozen=True, slots=True)
class Earlier:
    """A value before it was overridden, and the exact reference of the version that has it."""

    exact: str
    value: Json


def earlier(
    pointer: str, uses: Iterable[Mapping[str, str]], parents: Mapping[str, Json]
) -> Earlier | None:
    """What a parent says where a version states a value of its own; None where none says anything.

    `uses` are the version's dependencies in their order, `parents` the targets of those that it
    inherits from. The parents of the nearest node count, of these the last that says something.
    """
    around = [
        use
        for use in uses
        if use["relation"] == Relation.INHERITS and pointer.startswith(f"{use['pointer']}/")
    ]
    nearest = max((use["pointer"] for use in around), key=len, default="")
    for use in reversed([use for use in around if use["pointer"] == nearest]):
        try:
            value = look_up(parents[use["resolved"]], pointer[len(nearest) :])
        except (KeyError, PointerUnknown):
            continue
        if not isinstance(value, dict):  # an object is merged with, or edits a list
            return Earlier(use["resolved"], value)
    return None
