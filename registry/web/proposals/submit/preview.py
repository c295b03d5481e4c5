"""The preview of a profile: its next version, its values and its impact."""

from __future__ import annotations

from itertools import islice
from typing import Any

from django.http import HttpRequest

from registry.actions.policy_warnings import policy_warning
from registry.domain.version_number import Bump
from registry.services.proposals import form_starts, review_detail
from registry.services.versions import impact
from registry.services.versions.drafting import Draft
from registry.web.proposals.review_checks import near_duplicate_row
from registry.web.versions import diff_rows, impact_rows
from registry.web.versions.bump_meanings import MEANINGS
from registry.web.versions.values import TargetValues

MAX_VALUES = 250  # of a node; a kind has at most 200 options
MAX_NODES = 24  # the largest shipped target has 12
MAX_EFFECTS = 200  # dependents that are redrafted for signed-in users
MAX_ANONYMOUS_EFFECTS = 20


def preview_context(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    """Return the `preview` context of `registry/submit/preview.html`."""
    limit = MAX_EFFECTS if request.user.is_authenticated else MAX_ANONYMOUS_EFFECTS
    base = f"{draft.tag}@{draft.base.number}" if draft.base else ""
    near_duplicates = review_detail.find_near_duplicates(draft)
    reviewers = form_starts.reviewers(draft.tag)
    resolution = draft.resolution
    values = TargetValues(resolution.target, draft.current.kinds, resolution.provenance)
    return {
        "draft": draft,
        "base": base,
        "meaning": MEANINGS[Bump(draft.bump)] if draft.bump else "",
        "values": [
            (node, values.of_node(node, MAX_VALUES))
            for node in islice(values.nodes.values(), MAX_NODES)
        ],
        "node_count": len(values.nodes),
        **diff_rows.draft_changes(draft, base),
        "impact": impact_rows.impact_context(impact.compute_impact(draft, limit=limit)),
        "near_duplicates": [
            near_duplicate_row(near) for near in near_duplicates or () if near.changes
        ],
        "has_near_timeout": near_duplicates is None,
        "reviewers": reviewers,
        "policy_warning": policy_warning(reviewers.namespace) if reviewers.namespace else "",
    }
