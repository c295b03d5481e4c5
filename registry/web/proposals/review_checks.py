"""What becomes of a proposal if it is published today, as its page shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from registry.domain.diff import Change
from registry.domain.version_number import Bump
from registry.services.proposals.review_detail import ReviewDetail
from registry.services.versions.drafting import Draft
from registry.services.versions.near_duplicates import NearDuplicate
from registry.web.core.code_blocks import format_json, highlight
from registry.web.versions import diff_rows, impact_rows
from registry.web.versions.bump_meanings import MEANINGS
from registry.web.versions.values import ordered

MOST_SHOWN = 8000  # characters of a body or a target: highlighted, some 40 KB
MOST_DIFFERING = 4  # pointers of a near duplicate: it differs in few


@dataclass(frozen=True, slots=True)
class NearDuplicateRow:
    """A tag that is nearly the same, and the pointers of what differs."""

    exact: str
    pointers: tuple[str, ...]
    more: int

    @classmethod
    def of(cls, near: NearDuplicate) -> NearDuplicateRow:
        """As duplicates are found."""
        pointers = [change.pointer for change in near.changes]
        shown = tuple(pointers[:MOST_DIFFERING])
        return cls(near.exact, shown, max(len(pointers) - MOST_DIFFERING, 0))


def body(weighed: ReviewDetail) -> dict[str, Any]:
    """The newest revision's body, its references leading to what they ask for."""
    draft = weighed.draft
    asked = draft.dependencies.choices if draft else ()
    links = {text: reverse("tag", args=[text]) for text in asked}
    return {"body": highlight(weighed.sheet.newest.source, links=links, most=MOST_SHOWN)}


def review_checks(weighed: ReviewDetail) -> dict[str, Any]:
    """Faults, or lints, the next version, what differs and what it means downstream."""
    verdict = weighed.sheet.verdict
    if verdict is None:
        return {}
    if weighed.draft is None:
        return {"verdict": verdict, "refusal": weighed.refusal or verdict.refusal}
    return {
        "verdict": verdict,
        "lints": verdict.lints,
        **_of_draft(weighed, weighed.draft),
    }


def _of_draft(weighed: ReviewDetail, draft: Draft) -> dict[str, Any]:
    target = highlight(format_json(ordered(draft.resolution.target)), most=MOST_SHOWN)
    base = f"{draft.tag}@{draft.base.number}" if draft.base else ""
    return {
        "draft": draft,
        "meaning": _meaning(draft),
        "base": base,
        "becomes": f"{draft.tag}@{draft.number}" if draft.number else "",
        "counts": diff_rows.counts(draft.diff),
        "groups": diff_rows.draft_diff_groups(draft, base) if draft.diff else [],
        "change_count": len(draft.diff),
        "most_changes": diff_rows.MAX_CHANGES,
        "affecting": sum(map(_affects, draft.diff)),
        "alike": list(_alike(weighed)),
        "is_alike_unknown": weighed.near is None,
        "impact": impact_rows.impact_context(weighed.impact) if weighed.impact else None,
        "target": target,
    }


def _affects(change: Change) -> bool:
    return change.affects_tuning


def _alike(weighed: ReviewDetail) -> Iterator[NearDuplicateRow]:
    for near in weighed.near or ():
        yield NearDuplicateRow.of(near)


def _meaning(draft: Draft) -> str:
    """Why the number moves as it does."""
    if draft.bump is None:
        return "source, lineage and target are those of the newest version: nothing to publish"
    if draft.bump is Bump.FIRST:
        return "the first version of a new tag"
    return MEANINGS[draft.bump]
