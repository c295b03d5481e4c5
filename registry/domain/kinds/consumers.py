"""Look up which compiler components read each value of a target, and whether it affects tuning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.kinds.kinds import Kinds
from registry.domain.kinds.option_lookup import OptionLookup
from ttag_rules.nodes import nodes
from ttag_rules.pointer import child

# A composite itself is not tuned: only these of its options are part of its leaves' tuning keys.
PASSED_DOWN = frozenset({"kind", "libs", "codegen"})


@dataclass(frozen=True, slots=True)
class ValueConsumers:
    """The compiler components that read one value, by name; `annotation` stands for none.

    `affects_tuning` is true if another value can change a tuning key.
    """

    consumers: tuple[str, ...]
    affects_tuning: bool


class TargetConsumers:
    """The consumers of a target's values, looked up in its kinds.

    `root_kinds` are the kinds that a mixin can be applied to.
    """

    def __init__(self, target: Json, kinds: Kinds, root_kinds: Collection[str] = ()) -> None:
        self._lookup = OptionLookup(target, kinds, root_kinds)
        self.untuned_pointers = _untuned_pointers(target)

    def consumers_of(self, pointer: str) -> ValueConsumers:
        """Return the consumers of the value at a pointer; for an object, those of its values."""
        options = self._lookup.options_at(pointer)
        affects = any(option.affects_tuning for option in options)
        return ValueConsumers(
            tuple(sorted({name for option in options for name in option.consumers})),
            affects and pointer not in self.untuned_pointers,
        )


def _untuned_pointers(target: Json) -> frozenset[str]:
    """Return the pointers of composites' options that are not part of any tuning key."""
    return frozenset(
        child(node.pointer, name)
        for node in nodes(target)
        if not node.is_leaf
        for name in node.own.keys() - PASSED_DOWN
    )
