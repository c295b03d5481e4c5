"""The page of the form, with everything that was typed and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.number import Bump
from registry.domain.reference import Tag as TagName
from registry.models import SavedDraft
from registry.services import permissions
from registry.services.permissions import Action, Actor
from registry.web import errors
from registry.web.meanings import MEANINGS
from registry.web.submitting import form_errors
from registry.web.submitting.evaluation import Evaluation
from registry.web.submitting.form_errors import Part
from registry.web.submitting.profile_form import ProfileForm
from registry.web.submitting.steps import CHECK, FILL, listed

TEMPLATE = "registry/submitting/form.html"
NOT_VALID, NOT_DONE = "Not valid yet", "Not done"
MOVED = frozenset({Code.PRECONDITION_FAILED})


@dataclass(frozen=True, slots=True)
class Known:
    """What a page says besides the form; `held` is the draft that the form is kept in."""

    step: str = FILL
    evaluation: Evaluation = field(default_factory=Evaluation)
    preview: dict[str, Any] | None = None
    notes: Sequence[str] = ()
    held: SavedDraft | None = None


def answered(request: HttpRequest, form: ProfileForm, known: Known) -> HttpResponse:
    """The page; with the status of the first refusal, where something is refused."""
    if form.unknown_start and not form.refusals:
        form.refuse(Part.WHOLE, form.unknown_start)
    draft, problems = known.evaluation.draft, form.problems
    lints = form.errors_of_body(draft.lints) if draft else ()
    warnings = [form.message_of(name, lint) for name, lint in lints]
    is_json = form.start is None
    context = {
        "section": "submit",
        "steps": listed(known.step),
        "form": form,
        "held": known.held,
        "action": reverse("draft", args=[known.held.pk]) if known.held else reverse("submit"),
        "notes": known.notes,
        "heading": NOT_VALID if known.step == CHECK else NOT_DONE,
        "problems": problems,
        "warnings": warnings,
        "lines": form_errors.lines(form.values["body"], [*problems, *warnings]) if is_json else (),
        "draft": draft,
        "meaning": MEANINGS[Bump(draft.bump)] if draft and draft.bump else "",
        "has_moved": known.evaluation.moved or any(r.code in MOVED for r in form.refusals),
        "moved": known.evaluation.moved,
        "preview": known.preview,
        "may_publish": _may_publish(request, form, known.evaluation.tag),
    }
    if form.refusal is None:
        return render(request, TEMPLATE, context)
    return errors.refused(request, form.refusal, template=TEMPLATE, **context)


def _may_publish(request: HttpRequest, form: ProfileForm, tag: TagName | None) -> bool:
    """Whether publishing is offered beside submitting; never in place of a proposal."""
    user: Any = request.user
    if form.revises or not user.is_authenticated:
        return False
    try:
        name = tag or TagName.parse(form.values["tag"])
    except Refused:
        return False
    return permissions.allowed(Actor(user), Action.PUBLISH, name)
