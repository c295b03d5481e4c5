"""POST check: what publishing would do, without doing it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource, actor_of
from registry.api.described import publishing as described
from registry.api.problems import shown
from registry.api.summaries import change
from registry.api.throttling import Including
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.importing import Imported
from registry.domain.reference import Tag as TagName
from registry.services import checking, duplicates
from registry.services.downstream import impact
from registry.services.downstream.impact import Effect, Impact
from registry.services.drafting import Draft

IMPACT, NEAR = "impact", "near"
FURTHER = (IMPACT, NEAR)  # what a verdict can include, each at its price
DESCRIPTION = ("format", "source")  # of a target, in other words than a body's
ROWS = 1000  # effects that a verdict holds
ROWS_WITHOUT_TOKEN = 20  # a look, not a crawl


class Check(Resource):
    """A dry run. No token; 200 for every request that can be read, valid or not."""

    throttle_classes = (*Resource.throttle_classes, Including)

    parameters = frozenset({"include"})

    @extend_schema(**described.CHECK)
    def post(self, request: Request) -> HttpResponse:
        """Check a body as if it were published now."""
        include = _included(request.query_params.get("include", ""))
        said = bodies.members(
            request._request, required=("tag",), optional=("target", *DESCRIPTION)
        )
        _refuse_mixed(said)
        tag = TagName.parse(bodies.text_of(said, "tag"))
        importer = checking.importer(bodies.text_of(said, "format")) if "format" in said else None
        rows = ROWS if actor_of(request) else ROWS_WITHOUT_TOKEN
        about: dict[str, Any] = {}
        try:
            imported = importer and checking.read(importer, bodies.source_of(said, "source"))
            about = _about(imported) if imported else {}
            draft = checking.check(tag, imported.text if imported else said["target"])
            verdict = _valid(draft) | _further(draft, include, rows)
        except Refused as refusal:
            verdict = _invalid(refusal) | dict.fromkeys(include)
        return answers.of_json(request._request, verdict | about, caching=answers.NOT_KEPT)


def _refuse_mixed(said: Mapping[str, str]) -> None:
    """Either a body or another description of one. Raises `Refused` (REQUEST_INVALID)."""
    expected = "either target, or format and source"
    needed = ("target",) if not set(DESCRIPTION) & set(said) else DESCRIPTION
    missing = [name for name in needed if name not in said]
    beside = [name for name in DESCRIPTION if name in said and "target" in said]
    refuse_all(
        [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"{name} stands beside target", expected)
            for name in beside
        ]
        or [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"the member {name} is missing", expected)
            for name in missing
        ]
    )


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
        "errors": _faults(refusal) if refusal else [],
        "version": effect.number,
        "bump": effect.bump,
        "diff": [change(found) for found in effect.diff],
    }


def _valid(draft: Draft) -> dict[str, Any]:
    return {
        "valid": True,
        "errors": [],
        "target": json.loads(draft.resolution.text),
        "digest": draft.digest,
        "tuning_keys": dict(draft.tuning_keys),
        "version": str(draft.number) if draft.number else None,
        "bump": draft.bump,
        "diff": [change(found) for found in draft.diff],
        "lints": [shown(lint) for lint in draft.lints],
        "notes": [],
    }


def _invalid(refusal: Refused) -> dict[str, Any]:
    nothing = dict.fromkeys(("target", "digest", "tuning_keys", "version", "bump"))
    return {
        "valid": False,
        "errors": _faults(refusal),
        **nothing,
        "diff": [],
        "lints": [],
        "notes": [],
    }


def _faults(refusal: Refused) -> list[dict[str, Any]]:
    """Every fault of a refusal; one of the whole body where it has none."""
    whole = Fault("", refusal.code, refusal.detail, suggestions=refusal.suggestions)
    return [shown(fault) for fault in refusal.faults or (whole,)]
