"""POST check: what publishing would do, without doing it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies, targets, verdicts
from registry.api.base import Resource
from registry.api.described import publishing as described
from registry.api.permissions import actor_of
from registry.api.summaries import change
from registry.api.throttling import CheckThrottle
from registry.domain.errors import Refused, refuse_all
from registry.domain.importing import Imported
from registry.domain.reference import Tag as TagName
from registry.http.caching import Policy
from registry.services import checking, duplicates
from registry.services.downstream import impact
from registry.services.downstream.impact import Effect, Impact
from registry.services.drafting import Draft

IMPACT, NEAR = "impact", "near"
FURTHER = (IMPACT, NEAR)  # what a verdict can include, each at its price
ROWS = 1000  # effects that a verdict holds
ROWS_WITHOUT_TOKEN = 20  # a look, not a crawl


class Check(Resource):
    """A dry run. No token; 200 for every request that can be read, valid or not."""

    reads_by_post = True
    throttle_classes = (CheckThrottle,)
    parameters = frozenset({"include"})

    @extend_schema(**described.CHECK)
    def post(self, request: Request) -> HttpResponse:
        """Check a body as if it were published now."""
        include = _included(request.query_params.get("include", ""))
        said = bodies.members(request._request, required=("tag",), optional=targets.MEMBERS)
        targets.refuse_mixed(said)
        tag = TagName.parse(bodies.text_of(said, "tag"))
        importer = targets.importer(said)
        rows = ROWS if actor_of(request) else ROWS_WITHOUT_TOKEN
        about: dict[str, Any] = {}
        try:
            imported = importer and targets.read(importer, said)
            about = _about(imported) if imported else {}
            draft = checking.check(tag, imported.text if imported else said["target"])
            verdict = verdicts.good(draft, draft.lints) | _further(draft, include, rows)
        except Refused as refusal:
            verdict = verdicts.bad(refusal) | dict.fromkeys(include)
        return answers.of_json(request._request, verdict | about, policy=Policy.NO_STORE)


def _about(imported: Imported) -> dict[str, Any]:
    """The body that was read from another description, and what it does not say."""
    notes = [{"pointer": note.pointer, "message": note.message} for note in imported.notes]
    return {"body": imported.body, "notes": notes}


def _included(text: str) -> list[str]:
    """What else is asked for. Raises `Refused` (REQUEST_INVALID)."""
    names = [name for name in text.split(",") if name]
    expected = f"any of {', '.join(FURTHER)}, with commas between"
    refuse_all(
        bodies.unknown_name("part of a verdict", name, FURTHER, expected=expected)
        for name in names
        if name not in FURTHER
    )
    return names


def _further(draft: Draft, include: Collection[str], rows: int) -> dict[str, Any]:
    """Impact and near duplicates, where they are asked for."""
    found: dict[str, Any] = {}
    if IMPACT in include:
        found[IMPACT] = _impact(impact.impact(draft, limit=rows))
    if NEAR in include:
        found[NEAR] = [
            {"reference": each.exact, "diff": [change(found) for found in each.changes]}
            for each in duplicates.near(draft)
        ]
    return found


def _impact(found: Impact) -> dict[str, Any]:
    return {
        "results": [_effect(effect) for effect in found.effects],
        "counts": dict(sorted(found.counts.items())),
        "downstream": found.downstream,
        "complete": found.is_whole,
        "circular": list(found.circular),
    }


def _effect(effect: Effect) -> dict[str, Any]:
    """What would become of one dependent, on the pattern of a verdict."""
    refusal = effect.refusal
    return {
        "tag": effect.tag,
        "reference": effect.exact,
        "valid": refusal is None,
        "errors": verdicts.faults(refusal) if refusal else [],
        "version": effect.number,
        "bump": effect.bump,
        "diff": [change(found) for found in effect.diff],
    }
