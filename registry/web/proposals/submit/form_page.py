"""The page of the form, with everything that was typed and what is known of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.domain.version_number import Bump
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.versions.checking import CheckedBody
from registry.web.core import error_pages
from registry.web.proposals.submit import form_errors
from registry.web.proposals.submit.evaluation import moved
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.steps import CHECK, FILL, STEPS
from registry.web.versions.bump_meanings import MEANINGS

TEMPLATE = "registry/submit/form.html"
NOT_VALID, NOT_DONE = "Not valid yet", "Not done"


def answered(
    request: HttpRequest,
    form: ProfileForm,
    step: str = FILL,
    checked: CheckedBody | None = None,
    preview: dict[str, Any] | None = None,
) -> HttpResponse:
    """Return the page; with the status of the first refusal, where something is refused."""
    if form.unknown_start and not form.refusals:
        form.refuse(Part.WHOLE, form.unknown_start)
    draft, problems = checked.draft if checked else None, form.problems
    warnings = list(form.errors_of_body(draft.lints)) if draft else []
    body = "" if form.start else form.values["body"]
    change = moved(form, checked) if checked else ""
    is_stale = any(refusal.code is Code.PRECONDITION_FAILED for refusal in form.refusals)
    saved = form.saved_draft
    context = {
        "section": "submit",
        "steps": STEPS,
        "step": step,
        "form": form,
        "held": saved,
        "action": reverse("draft", args=[saved.pk]) if saved else reverse("submit"),
        "heading": NOT_VALID if step == CHECK else NOT_DONE,
        "problems": problems,
        "warnings": warnings,
        "lines": form_errors.lines(body, [*problems, *warnings]),
        "draft": draft,
        "meaning": MEANINGS[Bump(draft.bump)] if draft and draft.bump else "",
        "has_moved": change or is_stale,
        "moved": change,
        "preview": preview,
        "may_publish": _may_publish(request, form),
    }
    if form.refusal is None:
        return render(request, TEMPLATE, context)
    return error_pages.refusal_page(request, form.refusal, template=TEMPLATE, **context)


def _may_publish(request: HttpRequest, form: ProfileForm) -> bool:
    """Whether publishing is offered beside submitting; never in place of a proposal."""
    user: Any = request.user
    if form.revises or not user.is_authenticated:
        return False
    try:
        return permissions.allowed(Actor(user), Action.PUBLISH, TagName.parse(form.values["tag"]))
    except Refused:
        return False
