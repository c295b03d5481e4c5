"""The impact of a publication on dependents, as rows of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.domain.bump_meanings import MEANINGS
from registry.domain.version_number import Bump
from registry.services.versions.impact import REFUSED, Effect, Impact

MAX_ROWS = 50  # rows, some 1 KB each; the API's limit is a parameter
MAX_CHANGES = 3  # of one dependent
REFUSED_MEANING = "cannot be rebased: its author has to change its source"
ORDER = (REFUSED, *Bump)  # most urgent first


def impact_context(impact: Impact) -> dict[str, Any]:
    """Return the `impact` context of `registry/versions/impact.html`."""
    return {
        "rows": [_impact_row(effect) for effect in impact.effects[:MAX_ROWS]],
        "counts": list(_counts(impact)),
        "total": len(impact.effects),
        "hidden_count": max(len(impact.effects) - MAX_ROWS, 0),
        "downstream": impact.downstream,
        "is_complete": impact.is_complete,
        "circular": impact.circular,
    }


def _impact_row(effect: Effect) -> dict[str, Any]:
    """Return the row of one dependent, with the first of its changes."""
    bump = effect.bump or REFUSED
    return {
        "effect": effect,
        "bump": bump,
        "meaning": meaning(bump),
        "changes": effect.diff[:MAX_CHANGES],
        "more_changes": max(len(effect.diff) - MAX_CHANGES, 0),
    }


def meaning(bump: str) -> str:
    """Return what a bump, or REFUSED, means for users."""
    return REFUSED_MEANING if bump == REFUSED else MEANINGS[Bump(bump)]


def _counts(impact: Impact) -> Iterator[tuple[int, str, str]]:
    """Yield the number of dependents that would get a bump, or be refused, with the meaning."""
    for bump in ORDER:
        if number := impact.counts[bump]:
            yield number, bump, meaning(bump)
