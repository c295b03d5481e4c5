"""The form as a page, filled in as it was typed, with what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.guided import Start
from registry.domain.number import Bump
from registry.domain.reference import Tag as TagName
from registry.models import SavedDraft
from registry.services import permissions
from registry.services.permissions import Action, Actor
from registry.web import errors
from registry.web.meanings import MEANINGS
from registry.web.submitting import bodies, fields, told
from registry.web.submitting.judged import Judged, Part
from registry.web.submitting.steps import CHECK, FILL, listed
from registry.web.submitting.typed import BY_JSON, Typed

TEMPLATE = "registry/submitting/form.html"
NOT_VALID, NOT_DONE = "Not valid yet", "Not done"
MOVED = frozenset({Code.PRECONDITION_FAILED})


@dataclass(frozen=True, slots=True)
class Known:
    """What a page says besides the form; `held` is the draft that the form is kept in."""

    step: str = FILL
    judged: Judged | None = None
    preview: dict[str, Any] | None = None
    notes: Sequence[str] = ()
    held: SavedDraft | None = None


def answered(request: HttpRequest, typed: Typed, known: Known) -> HttpResponse:
    """The page; with the status of the first refusal, where something is refused."""
    judged = known.judged or Judged()
    start = _start(typed, judged)
    if start is None and typed.face != BY_JSON:  # nothing that was begun here
        typed = bodies.in_json(typed)
    problems = told.problems(judged, typed, start)
    warnings = told.warnings(judged, typed, start)
    draft = judged.draft
    context = {
        "section": "submit",
        "steps": listed(known.step),
        "typed": typed,
        "held": known.held,
        "action": reverse("draft", args=[known.held.pk]) if known.held else reverse("submit"),
        "notes": known.notes,
        "heading": NOT_VALID if known.step == CHECK else NOT_DONE,
        "problems": problems,
        "warnings": warnings,
        "lines": told.lines(typed, [*problems, *warnings]) if typed.face == BY_JSON else (),
        "guided": _guided(typed, start, judged),
        "draft": draft,
        "meaning": MEANINGS[Bump(draft.bump)] if draft and draft.bump else "",
        "has_moved": _has_moved(judged),
        "moved": judged.moved,
        "preview": known.preview,
        "may_publish": _may_publish(request, typed, judged.tag),
    }
    if judged.refusal is None:
        return render(request, TEMPLATE, context)
    return errors.refused(request, judged.refusal, template=TEMPLATE, **context)


def _start(typed: Typed, judged: Judged) -> Start | None:
    if typed.face == BY_JSON:
        return None
    try:
        return bodies.start_of(typed)
    except Refused as refusal:
        if not judged.refusals:
            judged.refusals.append((Part.WHOLE, refusal))
        return None


def _guided(typed: Typed, start: Start | None, judged: Judged) -> fields.Form | None:
    if start is None:
        return None
    faults = told.body_faults(judged)
    return fields.shown(start, typed.texts, faults, bodies.inherited(typed))


def _has_moved(judged: Judged) -> bool:
    """Whether today's version can be taken in place of the one that the form was begun over."""
    return bool(judged.moved) or any(refusal.code in MOVED for _, refusal in judged.refusals)


def _may_publish(request: HttpRequest, typed: Typed, tag: TagName | None) -> bool:
    """Whether publishing is offered beside submitting; never in place of a proposal."""
    user: Any = request.user
    if typed.revises or not user.is_authenticated:
        return False
    try:
        name = tag or TagName.parse(typed.tag)
    except Refused:
        return False
    return permissions.allowed(Actor(user), Action.PUBLISH, name)
