"""Which version set each value of a target: stored provenance, read back."""

from __future__ import annotations

import json
from dataclasses import dataclass

from registry.domain.pointer import natural
from registry.domain.reference import Reference
from registry.domain.tree import Leaf, leaves, read
from registry.models import Version
from registry.services import choosing
from registry.services.choosing import Choice


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every value of a version's target by its pointer, in natural order.

    The origin of a value is always an exact reference; of its own values that is the version's.
    """

    choice: Choice
    values: tuple[tuple[str, Leaf], ...]


def explain(reference: Reference) -> Explanation:
    """Explain the version that answers to a reference, a mixin too. Two queries.

    Raises `Refused` as resolving does.
    """
    choice = choosing.one(reference)
    version = Version.objects.only("target", "provenance").get(pk=choice.version.pk)
    origins = json.loads(version.provenance)
    tree = read(json.loads(version.target), lambda pointer: origins.get(pointer) or choice.exact)
    values = sorted(leaves(tree), key=lambda value: natural(value[0]))
    return Explanation(choice, tuple(values))
