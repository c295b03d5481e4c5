"""The page of the profile form, with its input, errors, warnings and preview."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.html import format_html

from registry.domain.bump_meanings import MEANINGS
from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.models import SavedDraft
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import timeline
from registry.services.versions.checking import CheckedBody
from registry.web.core import error_pages
from registry.web.proposals import history
from registry.web.proposals.submit.evaluation import stale_message
from registry.web.proposals.submit.form_data import HIDDEN
from registry.web.proposals.submit.form_errors import body_errors, lines_with_errors
from registry.web.proposals.submit.form_state import FormState, Step
from registry.web.proposals.submit.guided_inputs import GuidedInputs
from registry.web.proposals.submit.inputs import Input, link_errors, with_errors

TEMPLATE = "registry/submit/form.html"
NOT_VALID, NOT_DONE = "Not valid yet", "Not done"
DESCRIPTIONS = ("message", "sources", "text")  # of the change
MESSAGE_HELP = (
    "Describe the hardware, or what changed. It is shown with the version, publicly and "
    "permanently."
)
SOURCES_HELP = (
    "Pages that support the facts, such as data sheets: one https URL per line. They count for "
    "every fact that you state or change in the fields above."
)
EDITOR = {
    "data-editor": "true",
    "data-check": reverse_lazy("api:check"),
    "data-schema": reverse_lazy("api:kind", args=["body"]),
    "data-tags": reverse_lazy("api:tags"),
    "data-tag": "#tag",
}


def render_form(
    request: HttpRequest,
    state: FormState,
    checked: CheckedBody | None = None,
    preview: dict[str, Any] | None = None,
) -> HttpResponse:
    """Render the page, with the status of the first refusal if there is one."""
    context = {
        "section": "submit",
        "state": state,
        "steps": list(Step),
        "step": state.step,
        "hidden": [(name, state.values[name]) for name in HIDDEN],
        "missing": state.missing_namespace(),
        "requests": _requests(state),
        "preview": preview,
        "can_publish": _can_publish(request, state),
        **_target(state.saved_draft),
        **_inputs_and_errors(state, checked),
        **_verdict(state, checked),
    }
    if state.refusal is None:
        return render(request, TEMPLATE, context)
    return error_pages.refusal_page(request, state.refusal, template=TEMPLATE, **context)


def _target(saved: SavedDraft | None) -> dict[str, Any]:
    """Return the draft that the form belongs to, if any, and where the form is sent."""
    action = reverse("draft", args=[saved.pk]) if saved else reverse("submit")
    return {"saved_draft": saved, "action": action}


def _inputs_and_errors(state: FormState, checked: CheckedBody | None) -> dict[str, Any]:
    """Return the inputs, and the errors and warnings with links to them."""
    lints = checked.draft.lints if checked else ()
    warnings = [*body_errors(lints, state.values, state.start)]
    groups = GuidedInputs(state, state.start).groups() if state.start else []
    inputs = with_errors(_inputs(state), state.problems)
    by_name = inputs | {input.name: input for group in groups for input in group.all_inputs}
    body = "" if state.start else state.values["body"]
    return {
        "groups": groups,
        "inputs": inputs,
        "descriptions": [inputs[name] for name in DESCRIPTIONS if name in inputs],
        "heading": NOT_VALID if state.step is Step.CHECK else NOT_DONE,
        "problems": link_errors(state.problems, by_name),
        "warnings": link_errors(warnings, by_name),
        "lines": lines_with_errors(body, [*state.problems, *warnings]),
    }


def _verdict(state: FormState, checked: CheckedBody | None) -> dict[str, Any]:
    """Return the draft of a valid body, what its number means, and whether the tag has changed."""
    draft = checked.draft if checked else None
    stale = stale_message(state, checked) if checked else ""
    is_refused = any(refusal.code is Code.PRECONDITION_FAILED for refusal in state.refusals)
    return {
        "draft": draft,
        "meaning": MEANINGS[draft.bump] if draft and draft.bump else "",
        "is_stale": stale or is_refused,
        "stale_message": stale,
    }


def _inputs(state: FormState) -> Iterator[Input]:
    """Yield the inputs beside the guided ones."""
    values, number = state.values, state.proposal_number
    fixed = {"readonly": "true"} if number else {}
    yield Input("tag", "Tag", values["tag"], is_required=True, described="tag-base", attrs=fixed)
    yield Input("body", "Body, as JSON", values["body"], 16, described="body-help", attrs=EDITOR)
    yield Input("message", "Message", values["message"], 3, help=MESSAGE_HELP, is_name=False)
    yield Input("sources", "Sources", values["sources"], 2, help=SOURCES_HELP)
    if number:
        url = reverse("proposal", args=[number])
        help = format_html(
            'For the reviewers of <a href="{}">proposal {}</a>. Optional.', url, number
        )
        yield Input("text", "What changed", values["text"], 2, help=help, is_name=False)


def _requests(state: FormState) -> list[dict[str, Any]]:
    """Return what curators requested of the proposal that the form revises. At most one query."""
    number = state.proposal_number
    turns = timeline.requested_changes([number]) if number else {}
    return history.history(turns.get(number, []))


def _can_publish(request: HttpRequest, state: FormState) -> bool:
    """Return whether to offer publishing; a revision of a proposal must be submitted."""
    user = request.user
    if state.proposal_number or not user.is_authenticated:
        return False
    try:
        return permissions.allowed(Actor(user), Action.PUBLISH, TagName.parse(state.values["tag"]))
    except Refused:
        return False
