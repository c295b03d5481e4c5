"""The preview of a profile: its next version, its values and its impact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from registry.actions.namespaces import policy_warning
from registry.domain.bump_meanings import MEANINGS
from registry.services.proposals import form_starts, review_detail
from registry.services.versions import impact
from registry.services.versions.drafting import Draft
from registry.services.versions.near_duplicates import MAX_RESULTS
from registry.web.proposals.review_checks import near_duplicate_row
from registry.web.versions import diff_rows, impact_rows
from registry.web.versions.fact_groups import hardware_machines
from registry.web.versions.values import TargetValue, TargetValues

MAX_VALUES = 250  # of a node; a kind has at most 200 options
MAX_PARTS = 24  # the largest shipped target has 15 nodes
MAX_POINTERS = 3  # of equal nodes
DEVICE = re.compile(r"/devices/[^/]+")
MAX_EFFECTS = 200  # dependents that are redrafted for signed-in users
MAX_ANONYMOUS_EFFECTS = 20


@dataclass(frozen=True, slots=True)
class EqualParts:
    """The equal nodes of a target that have the same place in it, such as forty devices."""

    kind: str
    all_values: list[TargetValue]  # without facts
    pointers: list[str]

    @property
    def values(self) -> list[TargetValue]:
        """Return the values that the table shows."""
        return self.all_values[:MAX_VALUES]

    @property
    def more_values(self) -> int:
        """Return the number of the other values, such as pass settings."""
        return len(self.all_values) - len(self.values)

    @property
    def first_pointers(self) -> list[str]:
        """Return the pointers that a heading names."""
        return self.pointers[:MAX_POINTERS]

    @property
    def more(self) -> int:
        """Return the number of the other pointers."""
        return len(self.pointers) - len(self.first_pointers)


def equal_parts(values: TargetValues) -> list[EqualParts]:
    """Return the nodes of a target in order, equal ones once."""
    parts: dict[tuple[Any, ...], EqualParts] = {}
    for node in values.nodes.values():
        own = [value for value in values.of_node(node) if not value.is_fact]
        texts = tuple((value.rest, value.text, value.origin) for value in own)
        key = (DEVICE.sub("/devices/*", node.pointer), node.kind, texts)
        parts.setdefault(key, EqualParts(node.kind, own, [])).pointers.append(node.pointer)
    return [*parts.values()]


def preview_token(draft: Draft) -> str:
    """Return what tells whether a preview was of this version: its name, number and target.

    The number follows what was published before, and changes if that is yanked meanwhile.
    """
    return f"{draft.tag}@{draft.number} {draft.digest}"


def preview_context(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    """Return the `preview` context of `registry/submit/preview.html`."""
    limit = MAX_EFFECTS if request.user.is_authenticated else MAX_ANONYMOUS_EFFECTS
    near_duplicates = review_detail.near_duplicates_in_time(draft)
    reviewers = form_starts.reviewers(draft.tag)
    resolution = draft.resolution
    parts = equal_parts(TargetValues(resolution.target, draft.current.kinds, resolution.provenance))
    machines = hardware_machines(resolution.target, draft.current.kinds, resolution.provenance)
    return {
        "draft": draft,
        "token": preview_token(draft),
        "base": draft.base_exact,
        "meaning": MEANINGS[draft.bump] if draft.bump else "",
        "parts": parts[:MAX_PARTS],
        "part_count": len(parts),
        "machines": machines[:MAX_PARTS],
        "machine_count": len(machines),
        **diff_rows.draft_changes(draft),
        "impact": impact_rows.impact_context(impact.compute_impact(draft, limit=limit)),
        "near_duplicates": [
            near_duplicate_row(near) for near in near_duplicates or () if near.changes
        ],
        "max_near_duplicates": MAX_RESULTS,
        "has_near_timeout": near_duplicates is None,
        "reviewers": reviewers,
        "policy_warning": policy_warning(reviewers.namespace) if reviewers.namespace else "",
    }
