"""The page of the profile form, with its input, errors, warnings and preview."""

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
from registry.services.proposals import timeline
from registry.services.versions.checking import CheckedBody
from registry.web.core import error_pages
from registry.web.proposals import history
from registry.web.proposals.submit import form_errors, steps
from registry.web.proposals.submit.evaluation import stale_message
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.missing_namespace import missing_namespace
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.versions.bump_meanings import MEANINGS

TEMPLATE = "registry/submit/form.html"
NOT_VALID, NOT_DONE = "Not valid yet", "Not done"


def render_form(
    request: HttpRequest,
    form: ProfileForm,
    step: str = steps.FILL,
    checked: CheckedBody | None = None,
    preview: dict[str, Any] | None = None,
) -> HttpResponse:
    """Render the page, with the status of the first refusal if there is one."""
    if form.unknown_start and not form.refusals:
        form.refuse(Part.FORM, form.unknown_start)
    draft, problems = checked.draft if checked else None, form.problems
    warnings = list(form.body_errors(draft.lints)) if draft else []
    body = "" if form.start else form.values["body"]
    stale = stale_message(form, checked) if checked else ""
    is_refused_as_stale = any(refusal.code is Code.PRECONDITION_FAILED for refusal in form.refusals)
    saved = form.saved_draft
    context = {
        "section": "submit",
        "steps": steps.STEPS,
        "step": step,
        "form": form,
        "saved_draft": saved,
        "action": reverse("draft", args=[saved.pk]) if saved else reverse("submit"),
        "heading": NOT_VALID if step == steps.CHECK else NOT_DONE,
        "missing": missing_namespace(form),
        "requests": _requests(form),
        "problems": problems,
        "warnings": warnings,
        "lines": form_errors.lines_with_errors(body, [*problems, *warnings]),
        "draft": draft,
        "meaning": MEANINGS[Bump(draft.bump)] if draft and draft.bump else "",
        "is_stale": stale or is_refused_as_stale,
        "stale_message": stale,
        "preview": preview,
        "can_publish": _can_publish(request, form),
    }
    if form.refusal is None:
        return render(request, TEMPLATE, context)
    return error_pages.refusal_page(request, form.refusal, template=TEMPLATE, **context)


def _requests(form: ProfileForm) -> list[dict[str, Any]]:
    """Return what curators requested of the proposal that the form revises. At most one query."""
    number = form.proposal_number
    turns = timeline.requested_changes([number]) if number else {}
    return history.history(turns.get(number, []))


def _can_publish(request: HttpRequest, form: ProfileForm) -> bool:
    """Return whether to offer publishing; a revision of a proposal must be submitted."""
    user = request.user
    if form.proposal_number or not user.is_authenticated:
        return False
    try:
        return permissions.allowed(Actor(user), Action.PUBLISH, TagName.parse(form.values["tag"]))
    except Refused:
        return False
