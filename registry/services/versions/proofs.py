"""Tells how far compilers were followed with a target."""

from __future__ import annotations

import json

from registry.domain.document import Json
from registry.domain.proofs import LeafProof, find_proofs
from registry.models import Version
from registry.services.core import shipped_facts
from registry.services.kinds import kinds


def find(target: Json) -> list[LeafProof]:
    """Return what is proven of each leaf of a target, by the current kinds. One query."""
    return find_proofs(target, kinds.current_kinds().kinds, shipped_facts.proofs())


def find_for(version: Version | None) -> list[LeafProof]:
    """Return what is proven of each leaf of a version; nothing without one. Two queries."""
    if version is None:
        return []
    target = Version.objects.values_list("target", flat=True).get(pk=version.pk)
    return find(json.loads(target))
