"""The buttons of the profile form. Every response keeps the input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Tag as TagName
from registry.http import limiter
from registry.http.rate_limits import RateLimited
from registry.models import Proposal, SavedDraft, User, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import form_starts, saved_drafts, submission, timeline
from registry.services.versions import publishing
from registry.services.versions.checking import CheckedBody
from registry.web.core import stashed_forms
from registry.web.proposals.submit import (
    bodies,
    form_data,
    preview,
    start_urls,
    starting_points,
    steps,
)
from registry.web.proposals.submit.evaluation import evaluate
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_page import render_form
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.start_form import StartForm

START, CHECK, PREVIEW, USE_CURRENT = (
    "continue",
    "check",
    "preview",
    "use-current",
)  # values of the buttons
SAVE, SUBMIT, PUBLISH = "save", "submit", "publish"
NEED_ACCOUNT = frozenset({SAVE, SUBMIT, PUBLISH})
COUNT_AS_PREVIEW = frozenset({PREVIEW, USE_CURRENT})
SAVED_ELSEWHERE = (
    "This draft was saved in another tab meanwhile. Your input here is now a draft of its own; the "
    "other one is unchanged."
)
PREVIEW_FIRST = (
    "Review the effects, then choose Publish now again. Published versions never change."
)
KEPT_AS_DRAFT = "Your input is kept as a draft. It is listed under Your work."


def handle_post(request: HttpRequest, saved_draft: SavedDraft | None = None) -> HttpResponse:
    """Run the action of the pressed button."""
    button = request.POST.get("do", CHECK)
    if button in NEED_ACCOUNT and not request.user.is_authenticated:
        return stashed_forms.sign_in_first(request)
    try:
        limiter.count_request(
            request, account=request.user.pk, is_preview=button in COUNT_AS_PREVIEW, is_page=True
        )
    except RateLimited as refusal:
        return _rate_limited(request, button, refusal, saved_draft)
    if button == START:
        return _start(request)
    form = ProfileForm.read(request.POST, saved_draft)
    if saved_draft and form.attempt(Part.FORM, lambda: _save_draft(request, form)) is None:
        return render_form(request, form)
    return BUTTONS.get(button, _check)(request, form)


def _rate_limited(
    request: HttpRequest, button: str, refusal: RateLimited, saved_draft: SavedDraft | None
) -> HttpResponse:
    if button == START:
        response = starting_points.render_start(request, StartForm(request.POST), refusal)
    else:
        form = ProfileForm.read(request.POST, saved_draft)
        form.refuse(Part.FORM, refusal)
        response = render_form(request, form)
    response["Retry-After"] = str(refusal.seconds)
    return response


def _start(request: HttpRequest) -> HttpResponse:
    """Redirect to the URL of the form; show the first step with its errors if it has any."""
    start = StartForm(request.POST)
    try:
        starting_points.form_from_start(start)
        return redirect(start_urls.start_url(request, start))
    except Refused as refusal:
        return starting_points.render_start(request, start, refusal)


def _convert(
    request: HttpRequest, form: ProfileForm, *, convert: Callable[[ProfileForm], ProfileForm]
) -> HttpResponse:
    """Show the converted form; the same form with errors if that is impossible."""
    converted = form.attempt(Part.BODY, lambda: convert(form))
    if converted:
        converted.saved_draft = form.saved_draft
    return render_form(request, converted or form)


def _check(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    return render_form(request, form, steps.CHECK, evaluate(form))


def _preview(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    if checked is None:
        return render_form(request, form, steps.CHECK)
    return _render_preview(request, form, checked)


def _render_preview(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    context = preview.preview_context(request, checked.draft)
    return render_form(request, form, steps.PREVIEW, checked, context)


def _use_current(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    """Make the version last published the base of the form, and preview."""
    with suppress(Refused):  # the preview reports errors of the tag
        base = submission.last_published(TagName.parse(form.values["tag"]))
        form.values["base"] = str(base or "")
        if proposal := _revised_proposal(request, form):
            form.values["seen"] = str(proposal.revision)
    return _preview(request, form)


def _save(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    saved = form.saved_draft or form.attempt(Part.FORM, lambda: _save_draft(request, form))
    if saved is None:
        return render_form(request, form)
    messages.success(request, "Draft saved. Only you can see it until you submit it.")
    return redirect("draft", saved.pk)


def _submit(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    if checked is None:
        return render_form(request, form, steps.CHECK)
    proposal = form.attempt(Part.FORM, lambda: _propose(_user(request), form, checked))
    if proposal is None:
        return _render_failure(request, form, checked)
    done = "revised" if form.proposal_number else "submitted for review"
    _finish(request, form, f"{checked.draft.tag} is {done}.")
    return redirect("proposal", proposal.pk)


def _propose(user: User, form: ProfileForm, checked: CheckedBody) -> Proposal:
    tag, values = checked.draft.tag, form.values
    arguments: dict[str, Any] = {
        "message": values["message"],
        "base": form.base_version,
        "sources": form.source_urls,
        "key": values["key"],
        "actor": Actor(user),
        "checked": checked,
    }
    if not form.proposal_number:
        return submission.propose(tag, checked.draft.source, **arguments)
    _refuse_another_tag(form, tag)
    return submission.revise(
        form.proposal_number,
        checked.draft.source,
        seen=form.seen_revision,
        text=values["text"],
        **arguments,
    )


def _refuse_another_tag(form: ProfileForm, tag: TagName) -> None:
    number = form.proposal_number
    proposed = timeline.find_proposal(number).tag
    if proposed != str(tag):
        raise Refused(
            Code.CONFLICT,
            f"Proposal {number} is for {proposed}, and its tag cannot change. Submit a new "
            f"proposal for {tag}.",
        )


def _publish(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    if checked is None:
        return render_form(request, form, steps.CHECK)
    tag, user = checked.draft.tag, _user(request)
    if form.values["previewed"] != checked.draft.digest:
        return _preview_first(request, form, checked)
    version = form.attempt(Part.FORM, lambda: _publish_version(user, form, checked))
    if version is None and not _is_sent_twice(user, form, checked):
        return _render_failure(request, form, checked)
    _finish(request, form, f"{version.exact if version else tag} is published.")
    return redirect("tag", str(tag))


def _preview_first(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    """Show the preview before publishing, to users who are allowed to publish."""
    actor, tag = Actor(_user(request)), checked.draft.tag
    if not form.attempt(Part.FORM, lambda: permissions.require(actor, Action.PUBLISH, tag)):
        return _render_failure(request, form, checked)
    form.notes = [PREVIEW_FIRST]
    return _render_preview(request, form, checked)


def _publish_version(user: User, form: ProfileForm, checked: CheckedBody) -> Version:
    return publishing.publish(
        checked.draft.tag,
        checked.draft.source,
        message=form.values["message"],
        actor=Actor(user),
        expected=form.base_version,
        sources=form.source_urls,
        checked=checked,
    )


def _is_sent_twice(user: User, form: ProfileForm, checked: CheckedBody) -> bool:
    """Return whether the tag has changed because the same form was sent before."""
    is_stale = form.refusal is not None and form.refusal.code is Code.PRECONDITION_FAILED
    draft = checked.draft
    return is_stale and form_starts.was_just_published(draft.tag, draft.source, publisher=user)


def _render_failure(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    """Show the form with its errors; save it as a draft if the user has to wait.

    After a conflict the form gets a new key, because the old one belongs to another proposal.
    """
    code = form.refusal.code if form.refusal else None
    if code is Code.CONFLICT:
        form.values["key"] = form_data.new_key()
    must_wait = code is Code.RATE_LIMITED and not form.saved_draft
    if must_wait and form.attempt(Part.FORM, lambda: _save_draft(request, form)) is not None:
        messages.warning(request, KEPT_AS_DRAFT)
    return render_form(request, form, steps.SUBMIT, checked)


def _finish(request: HttpRequest, form: ProfileForm, message: str) -> None:
    """Add the success message, and delete the draft of the form."""
    if form.saved_draft:
        saved_drafts.delete_draft(form.saved_draft.pk, actor=Actor(_user(request)))
    messages.success(request, message)


def _save_draft(request: HttpRequest, form: ProfileForm) -> SavedDraft:
    """Save the posted fields in the form's draft, or in a new one. Raises `Refused`."""
    previous = form.saved_draft
    form.saved_draft = saved = saved_drafts.save_draft(
        form_data.fields_to_save(request.POST),
        actor=Actor(_user(request)),
        tag=echo(form.values["tag"]),
        key=previous.pk if previous else None,
        seen=form_data.parse_number(request.POST.get("saves", "")),
        proposal=previous.proposal if previous else _revised_proposal(request, form),
    )
    if previous and previous.pk != saved.pk:
        messages.warning(request, SAVED_ELSEWHERE)
    return saved


def _revised_proposal(request: HttpRequest, form: ProfileForm) -> Proposal | None:
    """Return the user's own proposal that the form revises, if any."""
    if not form.proposal_number:
        return None
    try:
        proposal = timeline.find_proposal(form.proposal_number)
    except Refused:
        return None
    return proposal if proposal.submitter_id == request.user.pk else None


def _user(request: HttpRequest) -> User:
    """Return the user of a button for signed-in users."""
    return cast(User, request.user)


BUTTONS: Mapping[str, Callable[[HttpRequest, ProfileForm], HttpResponse]] = {
    "fields": partial(_convert, convert=bodies.convert_to_fields),
    "json": partial(_convert, convert=bodies.convert_to_json),
    "devices": render_form,  # with the fields of the devices whose kinds were entered
    CHECK: _check,
    PREVIEW: _preview,
    USE_CURRENT: _use_current,
    SAVE: _save,
    SUBMIT: _submit,
    PUBLISH: _publish,
}
