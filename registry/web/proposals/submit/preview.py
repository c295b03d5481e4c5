"""What a profile would be, once published: its number, its values, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import HttpRequest

from registry.domain.composition import nodes
from registry.domain.errors import Code, Refused
from registry.domain.version_number import Bump
from registry.services.proposals import form_starts
from registry.services.versions import impact, near_duplicates
from registry.services.versions.drafting import Draft
from registry.services.versions.near_duplicates import NearDuplicate
from registry.web.versions import diff_rows, impact_rows, values
from registry.web.versions.bump_meanings import MEANINGS
from registry.web.versions.values import Group

MOST_VALUES = 250  # of a node; a kind has at most 200 options
MOST_NODES = 24  # the largest shipped target has 12
FEW, MANY = 20, 200  # effects computed for strangers, and for who is signed in
MOST_NAMED = 3  # leaves that the sentence about a near duplicate names


@dataclass(frozen=True, slots=True)
class Alike:
    """A near duplicate: which, and in what it differs."""

    exact: str
    leaves: tuple[str, ...]
    more: int


def shown(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    """What `registry/submit/preview.html` shows, as its `preview`."""
    most = MANY if request.user.is_authenticated else FEW
    before = f"{draft.tag}@{draft.base.number}" if draft.base else ""
    return {
        "draft": draft,
        "before": before,
        "meaning": MEANINGS[Bump(draft.bump)] if draft.bump else "",
        "values": list(islice(_values(draft), MOST_NODES)),
        "node_count": sum(1 for _ in nodes(draft.resolution.target)),
        "most_nodes": MOST_NODES,
        "groups": diff_rows.draft_diff_groups(draft, before) if before else [],
        "counts": diff_rows.counts(draft.diff),
        "most_changes": diff_rows.MAX_CHANGES,
        "impact": impact_rows.impact_context(impact.compute_impact(draft, limit=most)),
        "near": _alike(draft),
        "reviewers": form_starts.reviewers(draft.tag),
    }


def _values(draft: Draft) -> Iterator[Group]:
    resolved = draft.resolution
    for node in nodes(resolved.target):
        yield values.group(node, resolved.provenance, draft.current.kinds, MOST_VALUES)


def _alike(draft: Draft) -> list[Alike] | None:
    """Near duplicates; None where looking for them took too long."""
    if draft.resolution.is_mixin:
        return []
    try:
        return [_said(near) for near in near_duplicates.find_near_duplicates(draft) if near.changes]
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None


def _said(near: NearDuplicate) -> Alike:
    leaves = tuple(change.pointer.removeprefix("/") for change in near.changes)
    return Alike(near.exact, leaves[:MOST_NAMED], max(len(leaves) - MOST_NAMED, 0))
