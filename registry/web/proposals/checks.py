"""What becomes of a proposal if it is published today, as its page shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from registry.domain.diff import Change
from registry.domain.number import Bump
from registry.services.drafting import Draft
from registry.services.duplicates import Near
from registry.services.reading.weighing import Weighed
from registry.web import changes, impacts
from registry.web.code import code, layout
from registry.web.meanings import MEANINGS
from registry.web.values import ordered

MOST_SHOWN = 8000  # characters of a body or a target: highlighted, some 40 KB
MOST_DIFFERING = 4  # pointers of a near duplicate: it differs in few


@dataclass(frozen=True, slots=True)
class Alike:
    """A tag that is nearly the same, and the pointers of what differs."""

    exact: str
    pointers: tuple[str, ...]
    more: int

    @classmethod
    def of(cls, near: Near) -> Alike:
        """As duplicates are found."""
        pointers = [change.pointer for change in near.changes]
        shown = tuple(pointers[:MOST_DIFFERING])
        return cls(near.exact, shown, max(len(pointers) - MOST_DIFFERING, 0))


def body(weighed: Weighed) -> dict[str, Any]:
    """The newest revision's body, its references leading to what they ask for."""
    draft = weighed.draft
    asked = draft.library.choices if draft else ()
    links = {text: reverse("tag", args=[text]) for text in asked}
    return {"body": code(weighed.sheet.newest.source, links=links, most=MOST_SHOWN)}


def checks(weighed: Weighed) -> dict[str, Any]:
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


def _of_draft(weighed: Weighed, draft: Draft) -> dict[str, Any]:
    target = code(layout(ordered(draft.resolution.target)), most=MOST_SHOWN)
    base = f"{draft.tag}@{draft.base.number}" if draft.base else ""
    return {
        "draft": draft,
        "meaning": _meaning(draft),
        "base": base,
        "becomes": f"{draft.tag}@{draft.number}" if draft.number else "",
        "counts": changes.counts(draft.diff),
        "groups": changes.groups_of(draft, base) if draft.diff else [],
        "change_count": len(draft.diff),
        "most_changes": changes.MOST_CHANGES,
        "affecting": sum(map(_affects, draft.diff)),
        "alike": list(_alike(weighed)),
        "is_alike_unknown": weighed.near is None,
        "impact": impacts.shown(weighed.impact) if weighed.impact else None,
        "target": target,
    }


def _affects(change: Change) -> bool:
    return change.affects_tuning


def _alike(weighed: Weighed) -> Iterator[Alike]:
    for near in weighed.near or ():
        yield Alike.of(near)


def _meaning(draft: Draft) -> str:
    """Why the number moves as it does."""
    if draft.bump is None:
        return "source, lineage and target are those of the newest version: nothing to publish"
    if draft.bump is Bump.FIRST:
        return "the first version of a new tag"
    return MEANINGS[draft.bump]
