"""The page that compares two revisions of a proposal."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.models import ProposalRevision
from registry.services.core import text_diff
from registry.services.proposals import revisions
from registry.services.proposals.revisions import RevisionPair
from registry.web.core.decorators import public_page
from registry.web.versions.diff_rows import changes_context
from registry.web.versions.values import TargetValues

MAX_LINES = 1500  # of a body, some 100 bytes each


@public_page
def revision_diff(request: HttpRequest, number: int, old: int, new: int) -> HttpResponse:
    """Compare message, sources, base and body of two revisions, and their targets as of now."""
    pair = revisions.compare_revisions(number, old, new)
    lines = list(
        text_diff.diff_lines(
            text_diff.indented_json(pair.old.source), text_diff.indented_json(pair.new.source)
        )
    )
    context = {
        "section": "proposals",
        "pair": pair,
        "proposal": pair.proposal,
        "sides": [("From", pair.old), ("To", pair.new)],
        "has_new_metadata": _metadata(pair.old) != _metadata(pair.new),
        "lines": lines[:MAX_LINES],
        "line_count": len(lines),
        "is_reformatted": not lines and pair.old.source != pair.new.source,
        "are_both_valid": pair.old_draft is not None and pair.new_draft is not None,
        **_changes(pair),
    }
    return render(request, "registry/proposals/revision_diff.html", context)


def _metadata(revision: ProposalRevision) -> tuple[str, str, str]:
    return revision.message, revision.sources, revision.base


def _changes(pair: RevisionPair) -> dict[str, Any]:
    """Return the context of the changed values; empty unless both revisions are valid."""
    before, after = pair.old_draft, pair.new_draft
    if before is None or after is None:
        return {}
    old, new = (
        TargetValues(draft.resolution.target, after.current.kinds) for draft in (before, after)
    )
    return changes_context(old, new, pair.changes)
