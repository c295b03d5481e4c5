"""The checks of a proposal and its effects if it were published now."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from registry.domain.bump_meanings import MEANINGS
from registry.domain.lints.rules import MAX_LINTS
from registry.domain.version_number import Bump
from registry.services.proposals.review_detail import ReviewDetail
from registry.services.versions.drafting import Draft
from registry.services.versions.near_duplicates import MAX_RESULTS, NearDuplicate
from registry.web.core.json_blocks import HighlightedCode, format_json, highlight
from registry.web.proposals.changed_facts import changed_facts
from registry.web.versions import diff_rows, impact_rows
from registry.web.versions.values import ordered

MAX_SHOWN = 8000  # characters of a body or a target; highlighted, some 40 KB
MAX_FACTS = 40  # the target has all
MAX_POINTERS = 4  # pointers listed for a near duplicate


def near_duplicate_row(near: NearDuplicate) -> dict[str, Any]:
    """Return a similar tag, and the pointers at which it differs."""
    pointers = [change.pointer for change in near.changes]
    more = max(len(pointers) - MAX_POINTERS, 0)
    return {"exact": near.exact, "pointers": pointers[:MAX_POINTERS], "more": more}


def highlighted_body(detail: ReviewDetail) -> HighlightedCode:
    """Return the newest revision's body, with links from its references."""
    references = detail.draft.dependencies.choices if detail.draft else ()
    links = {text: reverse("tag", args=[text]) for text in references}
    return highlight(detail.proposal_detail.newest.source, links=links, max_length=MAX_SHOWN)


def review_checks(detail: ReviewDetail) -> dict[str, Any]:
    """Return the template context for the checks: errors, or lints with the effects."""
    evaluation = detail.proposal_detail.evaluation
    if evaluation is None:
        return {}
    if detail.draft is None:
        return {"evaluation": evaluation, "refusal": detail.refusal or evaluation.refusal}
    return {
        "evaluation": evaluation,
        "lints": evaluation.lints,
        "has_all_lints": len(evaluation.lints) < MAX_LINTS,
        **_draft_context(detail, detail.draft),
    }


def _draft_context(detail: ReviewDetail, draft: Draft) -> dict[str, Any]:
    target = highlight(format_json(ordered(draft.resolution.target)), max_length=MAX_SHOWN)
    facts = changed_facts(draft, draft.current.kinds)
    return {
        "draft": draft,
        "meaning": _meaning(draft),
        "base": draft.base_exact,
        "next_exact": f"{draft.tag}@{draft.number}" if draft.number else "",
        **diff_rows.draft_changes(draft),
        "changed_facts": facts[:MAX_FACTS],
        "has_fact_sources": any(fact.sources for fact in facts),
        "changed_fact_count": len(facts),
        "tuning_change_count": sum(change.affects_tuning for change in draft.diff),
        "near_duplicates": [*map(near_duplicate_row, detail.near_duplicates or ())],
        "max_near_duplicates": MAX_RESULTS,
        "has_near_timeout": detail.near_duplicates is None,
        "impact": impact_rows.impact_context(detail.impact) if detail.impact else None,
        "target": target,
    }


def _meaning(draft: Draft) -> str:
    """Return what the bump means for users."""
    if draft.bump is None:
        return "source, lineage and target are those of the newest version: nothing to publish"
    if draft.bump is Bump.FIRST:
        return "the first version of a new tag"
    return MEANINGS[draft.bump]
