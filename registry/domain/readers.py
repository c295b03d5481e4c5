"""Who reads each value of a target, and whether tuning depends on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.pointer import child

# Nothing is tuned for a composite itself: of its own options these alone reach its leaves' keys.
PASSED_DOWN = frozenset({"kind", "libs", "codegen"})


@dataclass(frozen=True, slots=True)
class Readers:
    """The compiler components that read one value, by name; `annotation` is none of them.

    `affects_tuning`: another value can change a tuning key.
    """

    consumers: tuple[str, ...]
    affects_tuning: bool


class Readership:
    """A target with the kinds that know who reads it.

    `root_kinds` are those that a mixin can be applied to.
    """

    def __init__(self, target: Json, kinds: Kinds, root_kinds: Collection[str] = ()) -> None:
        self._target = target
        self._kinds = kinds
        self._root_kinds = root_kinds
        self.own_of_composites = _own_of_composites(target)

    def at(self, pointer: str) -> Readers:
        """Who reads the value at a pointer; of the value of an object, who reads the object."""
        options = self._kinds.options_at(self._target, pointer, self._root_kinds)
        affects = any(option.affects_tuning for option in options)
        return Readers(
            tuple(sorted({name for option in options for name in option.consumers})),
            affects and pointer not in self.own_of_composites,
        )


def _own_of_composites(target: Json) -> frozenset[str]:
    """Where composites say something of themselves that no leaf's key digests."""
    return frozenset(
        child(node.pointer, name)
        for node in nodes(target)
        if not node.is_leaf
        for name in node.own.keys() - PASSED_DOWN
    )
