"""Explains a target: the origin, the overridden value and the consumers of each value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from registry.domain.checks.checks import mixin_kinds
from registry.domain.document import Json
from registry.domain.kinds.consumers import TargetConsumers
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.body_references import Relation
from registry.domain.resolution.overridden_values import OverriddenValue, overridden_value
from registry.domain.resolution.provenance_tree import Leaf, Origin, read_tree, tree_leaves
from registry.models import Dependency, Version
from registry.services.kinds import kinds
from registry.services.versions.selection import SelectedVersion
from ttag_rules.pointer import natural_key


class TargetLeaf(NamedTuple):
    """A leaf of a target and its pointer."""

    pointer: str
    leaf: Leaf


def explain_version(choice: SelectedVersion) -> list[TargetLeaf]:
    """Return every value of a version, which may be a mixin, in natural order of pointers.

    Origins are exact references; that of a version's own values is the version itself. One query.
    """
    version = Version.objects.only("target", "provenance").get(pk=choice.version.pk)
    origins = json.loads(version.provenance)
    tree = read_tree(
        json.loads(version.target), lambda pointer: origins.get(pointer) or choice.exact
    )
    return sorted(
        map(TargetLeaf._make, tree_leaves(tree)), key=lambda value: natural_key(value.pointer)
    )


@dataclass(frozen=True, slots=True)
class TargetProvenance:
    """A version's target with the origin, overridden value and consumers of each value.

    `origins` holds exact references by pointer; None stands for the version itself.
    """

    target: Json
    kinds: Kinds
    origins: Mapping[str, Origin]
    target_consumers: TargetConsumers
    uses: Sequence[Mapping[str, str]]
    parents: Mapping[str, Json]

    def overridden(self, pointer: str) -> OverriddenValue | None:
        """Return the inherited value that an own value overrides, or None."""
        return (
            None
            if self.origins.get(pointer)
            else overridden_value(pointer, self.uses, self.parents)
        )


def target_provenance(version: Version) -> TargetProvenance:
    """Return the provenance of a version, under the current kinds. Two queries."""
    target, current = json.loads(version.target), kinds.current_kinds().kinds
    root_kinds = mixin_kinds(target, current) if version.is_mixin else ()
    return TargetProvenance(
        target=target,
        kinds=current,
        origins=json.loads(version.provenance),
        target_consumers=TargetConsumers(target, current, root_kinds),
        uses=json.loads(version.dependencies),
        parents=_parents(version),
    )


def _parents(version: Version) -> dict[str, Json]:
    """Return the targets that a version inherits from, by exact reference. One query.

    They have at most 4 MiB, which publishing ensures.
    """
    used = Dependency.objects.filter(version=version, relation=Relation.INHERITS)
    parents = Version.objects.filter(pk__in=used.values("resolved")).select_related("tag")
    columns = ("major", "minor", "patch", "target", "tag__text")
    return {parent.exact: json.loads(parent.target) for parent in parents.only(*columns)}
