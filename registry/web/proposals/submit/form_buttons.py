"""The buttons of the profile form. Every response keeps the input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Tag as TagName
from registry.http import limiter
from registry.http.rate_limits import RateLimited
from registry.http.signed_in import user_of
from registry.models import Proposal, SavedDraft, User, Version
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import form_starts, saved_drafts, submission, timeline
from registry.services.versions import publishing
from registry.services.versions.checking import CheckedBody
from registry.web.core import stashed_forms
from registry.web.proposals.submit import bodies, form_data, starting_points
from registry.web.proposals.submit.evaluation import evaluate, stale_message
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_page import render_form
from registry.web.proposals.submit.form_state import FormState, Step, parse_number
from registry.web.proposals.submit.preview import preview_context, preview_token
from registry.web.proposals.submit.start_form import read_start, start_url
from registry.web.proposals.submit.start_page import render_start

# Values of the buttons.
START, CHECK, PREVIEW, USE_CURRENT = "continue", "check", "preview", "use-current"
SAVE, SUBMIT, PUBLISH = "save", "submit", "publish"
RESTORE = "restore"  # with what the browser has kept of a tab that was closed
RESTORED = "Your input is restored. It has not been sent yet."
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
    """Run the action of the pressed button.

    Who has yet to sign in to submit hears before that what is wrong.
    """
    button = request.POST.get("do", CHECK)
    is_unknown = button in NEED_ACCOUNT and not request.user.is_authenticated
    if is_unknown and button == SAVE:
        return stashed_forms.sign_in_first(request)
    if button == RESTORE:
        return restore(request, request.POST, saved_draft)
    is_start = button == START
    refusal = rate_refusal(request, is_preview=button in COUNT_AS_PREVIEW)
    state = read_start(request.POST) if is_start else FormState.read(request.POST, saved_draft)
    if refusal:
        state.refuse(Part.FORM, refusal)
        return (render_start if is_start else render_form)(request, state)
    if is_start:
        return _start(request, state)
    if saved_draft and state.attempt(Part.FORM, lambda: _save_draft(request, state)) is None:
        return render_form(request, state)
    return (_sign_in if is_unknown else BUTTONS.get(button, _check))(request, state)


def restore(
    request: HttpRequest, texts: Mapping[str, str], saved_draft: SavedDraft | None = None
) -> HttpResponse:
    """Show input that was kept, in the session or by the browser."""
    if "mode" not in texts:
        return render_start(request, read_start(texts))
    state = FormState.read(texts, saved_draft)
    state.notes = [RESTORED]
    return render_form(request, state)


def rate_refusal(request: HttpRequest, *, is_preview: bool = False) -> RateLimited | None:
    """Count a request that drafts a body; return the refusal if there are too many."""
    try:
        limiter.count_request(request, account=request.user.pk, is_preview=is_preview, is_page=True)
    except RateLimited as refusal:
        return refusal
    return None


def _start(request: HttpRequest, state: FormState) -> HttpResponse:
    """Redirect to the URL of the form; show the first step with its errors if it has any."""
    if starting_points.form_from_start(state) is None:
        return render_start(request, state)
    url = state.attempt(Part.FORM, lambda: start_url(request, state))
    return redirect(url) if url else render_start(request, state)


def _convert(
    request: HttpRequest, state: FormState, *, convert: Callable[[FormState], FormState]
) -> HttpResponse:
    """Show the converted form; the same form with errors if that is impossible."""
    converted = state.attempt(Part.BODY, lambda: convert(state))
    if converted:
        converted.saved_draft = state.saved_draft
    return render_form(request, converted or state)


def _check(request: HttpRequest, state: FormState) -> HttpResponse:
    return render_form(request, state, evaluate(state))


def _checked(
    action: Callable[[HttpRequest, FormState, CheckedBody], HttpResponse],
) -> Callable[[HttpRequest, FormState], HttpResponse]:
    """Run an action on a valid form; show the errors of another one."""

    def button(request: HttpRequest, state: FormState) -> HttpResponse:
        checked = evaluate(state)
        return action(request, state, checked) if checked else render_form(request, state)

    return button


@_checked
def _sign_in(request: HttpRequest, _state: FormState, _body: CheckedBody) -> HttpResponse:
    """Keep a valid form while somebody signs in."""
    return stashed_forms.sign_in_first(request, is_counted=True)


def _preview(request: HttpRequest, state: FormState, checked: CheckedBody) -> HttpResponse:
    state.step = Step.PREVIEW
    return render_form(request, state, checked, preview_context(request, checked.draft))


def _use_current(request: HttpRequest, state: FormState) -> HttpResponse:
    """Make the version last published the base of the form, and preview."""
    with suppress(Refused):  # the preview reports errors of the tag
        base = submission.last_published(TagName.parse(state.values["tag"]))
        state.values["base"] = str(base or "")
        if proposal := _revised_proposal(request, state):
            state.values["seen"] = str(proposal.revision)
    return _checked(_preview)(request, state)


def _save(request: HttpRequest, state: FormState) -> HttpResponse:
    saved = state.saved_draft or state.attempt(Part.FORM, lambda: _save_draft(request, state))
    if saved is None:
        return render_form(request, state)
    messages.success(request, "Draft saved. Only you can see it until you submit it.")
    return redirect("draft", saved.pk)


def _submit(request: HttpRequest, state: FormState, checked: CheckedBody) -> HttpResponse:
    state.step = Step.SUBMIT
    proposal = state.attempt(Part.FORM, lambda: _propose(user_of(request), state, checked))
    if proposal is None:
        return _render_failure(request, state, checked)
    done = "revised" if state.proposal_number else "submitted for review"
    _finish(request, state, f"{checked.draft.tag} is {done}.")
    return redirect("proposal", proposal.pk)


def _propose(user: User, state: FormState, checked: CheckedBody) -> Proposal:
    tag, values = checked.draft.tag, state.values
    arguments: dict[str, Any] = {
        "message": values["message"],
        "base": state.base_version,
        "sources": state.source_urls,
        "key": values["key"],
        "actor": Actor(user),
        "checked": checked,
    }
    if not state.proposal_number:
        return submission.propose(tag, checked.draft.source, **arguments)
    _refuse_another_tag(state, tag)
    return submission.revise(
        state.proposal_number,
        checked.draft.source,
        seen=state.seen_revision,
        text=values["text"],
        **arguments,
    )


def _refuse_another_tag(state: FormState, tag: TagName) -> None:
    number = state.proposal_number
    proposed = timeline.find_proposal(number).tag
    if proposed != str(tag):
        raise Refused(
            Code.CONFLICT,
            f"Proposal {number} is for {proposed}, and its tag cannot change. Submit a new "
            f"proposal for {tag}.",
        )


def _publish(request: HttpRequest, state: FormState, checked: CheckedBody) -> HttpResponse:
    state.step = Step.SUBMIT
    tag, user = checked.draft.tag, user_of(request)
    version = None
    if not _is_sent_twice(user, state, checked):
        is_previewed = state.values["previewed"] == preview_token(checked.draft)
        if checked.draft.number and not is_previewed:  # without a number, it says why not
            return _preview_first(request, state, checked)
        version = state.attempt(Part.FORM, lambda: _publish_version(user, state, checked))
        if version is None and not _is_sent_twice(user, state, checked):
            return _render_failure(request, state, checked)
    _finish(request, state, f"{version.exact if version else tag} is published.")
    return redirect("tag", str(tag))


def _preview_first(request: HttpRequest, state: FormState, checked: CheckedBody) -> HttpResponse:
    """Show the preview before publishing, to users who are allowed to publish."""
    actor, tag = Actor(user_of(request)), checked.draft.tag
    if not state.attempt(Part.FORM, lambda: permissions.require(actor, Action.PUBLISH, tag)):
        return _render_failure(request, state, checked)
    state.notes = [PREVIEW_FIRST]
    return _preview(request, state, checked)


def _publish_version(user: User, state: FormState, checked: CheckedBody) -> Version:
    return publishing.publish(
        checked.draft.tag,
        checked.draft.source,
        message=state.values["message"],
        actor=Actor(user),
        expected=state.base_version,
        sources=state.source_urls,
        checked=checked,
    )


def _is_sent_twice(user: User, state: FormState, checked: CheckedBody) -> bool:
    """Return whether the tag has changed because the same form was sent before."""
    is_refused = state.refusal is not None and state.refusal.code is Code.PRECONDITION_FAILED
    is_stale, draft = is_refused or stale_message(state, checked), checked.draft
    return bool(is_stale) and form_starts.was_just_published(
        draft.tag,
        draft.source,
        message=state.values["message"],
        sources=state.source_urls,
        publisher=user,
    )


def _render_failure(request: HttpRequest, state: FormState, checked: CheckedBody) -> HttpResponse:
    """Show the form with its errors; save it as a draft if the user has to wait."""
    state.renew_key()
    is_limited = state.refusal is not None and state.refusal.code is Code.RATE_LIMITED
    must_wait = is_limited and not state.saved_draft
    if must_wait and state.attempt(Part.FORM, lambda: _save_draft(request, state)) is not None:
        messages.warning(request, KEPT_AS_DRAFT)
    return render_form(request, state, checked)


def _finish(request: HttpRequest, state: FormState, message: str) -> None:
    """Add the success message, and delete the draft of the form."""
    if state.saved_draft:
        saved_drafts.delete_draft(state.saved_draft.pk, actor=Actor(user_of(request)))
    messages.success(request, message)


def _save_draft(request: HttpRequest, state: FormState) -> SavedDraft:
    """Save the posted fields in the form's draft, or in a new one. Raises `Refused`."""
    previous = state.saved_draft
    state.saved_draft = saved = saved_drafts.save_draft(
        form_data.fields_to_save(request.POST),
        actor=Actor(user_of(request)),
        tag=echo(state.values["tag"]),
        key=previous.pk if previous else None,
        seen=parse_number(request.POST.get("saves", "")),
        proposal=previous.proposal if previous else _revised_proposal(request, state),
    )
    if previous and previous.pk != saved.pk:
        messages.warning(request, SAVED_ELSEWHERE)
    return saved


def _revised_proposal(request: HttpRequest, state: FormState) -> Proposal | None:
    """Return the user's own proposal that the form revises, if any."""
    if not state.proposal_number:
        return None
    try:
        proposal = timeline.find_proposal(state.proposal_number)
    except Refused:
        return None
    return proposal if proposal.submitter_id == request.user.pk else None


BUTTONS: Mapping[str, Callable[[HttpRequest, FormState], HttpResponse]] = {
    "fields": partial(_convert, convert=bodies.convert_to_fields),
    "json": partial(_convert, convert=bodies.convert_to_json),
    "devices": render_form,  # with the fields of the devices whose kinds were entered
    CHECK: _check,
    PREVIEW: _checked(_preview),
    USE_CURRENT: _use_current,
    SAVE: _save,
    SUBMIT: _checked(_submit),
    PUBLISH: _checked(_publish),
}
