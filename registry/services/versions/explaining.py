"""Which version set each value of a target, in place of what, and who reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from registry.domain.body_references import Relation
from registry.domain.checks import mixin_kinds
from registry.domain.consumers import TargetConsumers
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.overridden_values import OverriddenValue, overridden_value
from registry.domain.pointer import natural_key
from registry.domain.provenance_tree import Leaf, Origin, read_tree, tree_leaves
from registry.domain.reference import Reference
from registry.models import Dependency, Version
from registry.services.kinds import kinds
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion


class Value(NamedTuple):
    """A value by its pointer."""

    pointer: str
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every value of a version's target by its pointer, in natural order.

    The origin of a value is always an exact reference; of its own values that is the version's.
    """

    choice: SelectedVersion
    values: tuple[Value, ...]


def explain_version(reference: Reference) -> Explanation:
    """Explain the version that answers to a reference, a mixin too. Two queries.

    Raises `Refused` as resolving does.
    """
    choice = selection.select_one(reference)
    version = Version.objects.only("target", "provenance").get(pk=choice.version.pk)
    origins = json.loads(version.provenance)
    tree = read_tree(
        json.loads(version.target), lambda pointer: origins.get(pointer) or choice.exact
    )
    values = sorted(tree_leaves(tree), key=lambda value: natural_key(value[0]))
    return Explanation(choice, tuple(Value(*value) for value in values))


@dataclass(frozen=True, slots=True)
class TargetProvenance:
    """A version's target with all that is known of each of its values, to be asked one by one.

    `origins` are exact references by pointer; None: the version itself.
    """

    target: Json
    kinds: Kinds
    origins: Mapping[str, Origin]
    readership: TargetConsumers
    uses: Sequence[Mapping[str, str]]
    parents: Mapping[str, Json]

    def earlier(self, pointer: str) -> OverriddenValue | None:
        """What an own value stands in place of; None where it was not inherited, or is not own."""
        return (
            None
            if self.origins.get(pointer)
            else overridden_value(pointer, self.uses, self.parents)
        )


def target_provenance(version: Version) -> TargetProvenance:
    """What is known of the values of a version, under the kinds in force. Two queries."""
    target, known = json.loads(version.target), kinds.current_kinds().kinds
    root_kinds = mixin_kinds(target, known) if version.is_mixin else ()
    return TargetProvenance(
        target=target,
        kinds=known,
        origins=json.loads(version.provenance),
        readership=TargetConsumers(target, known, root_kinds),
        uses=json.loads(version.dependencies),
        parents=_parents(version),
    )


def _parents(version: Version) -> dict[str, Json]:
    """The targets of those that a version inherits from, by exact reference. One query.

    They have at most 4 MiB, as publishing saw to it.
    """
    used = Dependency.objects.filter(version=version, relation=Relation.INHERITS)
    found = Version.objects.filter(pk__in=used.values("resolved")).select_related("tag")
    read_of = ("major", "minor", "patch", "target", "tag__text")
    return {parent.exact: json.loads(parent.target) for parent in found.only(*read_of)}
