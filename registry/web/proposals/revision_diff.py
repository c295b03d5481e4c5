"""Two revisions of a proposal compared: what was written anew, and what it means today."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.models import ProposalRevision
from registry.services.core import text_diff
from registry.services.proposals import listing, revisions
from registry.services.proposals.revisions import RevisionPair
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.versions.diff_rows import MAX_CHANGES, DiffGroup, Sides, counts, group_changes

MOST_LINES = 1500  # of a body, some 100 bytes each


@public_page
def changes(request: HttpRequest, number: int, old: int, new: int) -> HttpResponse:
    """Message, sources, base, the body line by line, and the target leaf by leaf."""
    pair = revisions.compare_revisions(number, old, new)
    written = list(
        text_diff.diff_lines(
            text_diff.format_json(pair.old.source), text_diff.format_json(pair.new.source)
        )
    )
    context = {
        "section": "proposals",
        "pair": pair,
        "proposal": pair.proposal,
        "sides": [_side("From", pair.old), _side("To", pair.new)],
        "is_said_anew": _said(pair.old) != _said(pair.new),
        "lines": written[:MOST_LINES],
        "line_count": len(written),
        "is_laid_out_anew": not written and pair.old.source != pair.new.source,
        "are_both": pair.old_draft is not None and pair.new_draft is not None,
        "groups": _groups(pair),
        "counts": counts(pair.changes),
        "change_count": len(pair.changes),
        "most_changes": MAX_CHANGES,
    }
    return render(request, "registry/proposals/changes.html", context)


def _side(title: str, revision: ProposalRevision) -> dict[str, object]:
    return {
        "title": title,
        "revision": revision,
        "sources": listing.sources_of(revision),
        "at": Moment(revision.created),
    }


def _said(revision: ProposalRevision) -> tuple[str, str, str]:
    return revision.message, revision.sources, revision.base


def _groups(pair: RevisionPair) -> list[DiffGroup]:
    before, after = pair.old_draft, pair.new_draft
    if before is None or after is None or not pair.changes:
        return []
    old, new = before.resolution.target, after.resolution.target
    return group_changes(Sides(old, new, after.current.kinds, pair.changes))
