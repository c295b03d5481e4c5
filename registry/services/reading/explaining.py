"""Which version set each value of a target, in place of what, and who reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from registry.domain.checks import mixin_kinds
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.overridden import Earlier, earlier
from registry.domain.pointer import natural
from registry.domain.readers import Readership
from registry.domain.reference import Reference
from registry.domain.requests import Relation
from registry.domain.tree import Leaf, Origin, leaves, read
from registry.models import Dependency, Version
from registry.services import choosing, kinds
from registry.services.choosing import Choice


class Value(NamedTuple):
    """A value by its pointer."""

    pointer: str
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every value of a version's target by its pointer, in natural order.

    The origin of a value is always an exact reference; of its own values that is the version's.
    """

    choice: Choice
    values: tuple[Value, ...]


def explain(reference: Reference) -> Explanation:
    """Explain the version that answers to a reference, a mixin too. Two queries.

    Raises `Refused` as resolving does.
    """
    choice = choosing.one(reference)
    version = Version.objects.only("target", "provenance").get(pk=choice.version.pk)
    origins = json.loads(version.provenance)
    tree = read(json.loads(version.target), lambda pointer: origins.get(pointer) or choice.exact)
    values = sorted(leaves(tree), key=lambda value: natural(value[0]))
    return Explanation(choice, tuple(Value(*value) for value in values))


@dataclass(frozen=True, slots=True)
class Account:
    """A version's target with all that is known of each of its values, to be asked one by one.

    `origins` are exact references by pointer; None: the version itself.
    """

    target: Json
    kinds: Kinds
    origins: Mapping[str, Origin]
    readership: Readership
    uses: Sequence[Mapping[str, str]]
    parents: Mapping[str, Json]

    def earlier(self, pointer: str) -> Earlier | None:
        """What an own value stands in place of; None where it was not inherited, or is not own."""
        return None if self.origins.get(pointer) else earlier(pointer, self.uses, self.parents)


def account(version: Version) -> Account:
    """What is known of the values of a version, under the kinds in force. Two queries."""
    target, known = json.loads(version.target), kinds.current().kinds
    root_kinds = mixin_kinds(target, known) if version.is_mixin else ()
    return Account(
        target=target,
        kinds=known,
        origins=json.loads(version.provenance),
        readership=Readership(target, known, root_kinds),
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
