"""What each button of the form does. Whatever comes of it, what was typed stands in the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
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
from registry.web.proposals.submit import bodies, form_data, preview, starting_points
from registry.web.proposals.submit.evaluation import evaluate
from registry.web.proposals.submit.form_data import number
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_page import answered
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.starting_points import StartForm
from registry.web.proposals.submit.steps import CHECK, PREVIEW, SUBMIT

BEGIN, SAVE, PREVIEWS, TODAY = "begin", "save", "preview", "today"
SUBMITS, PUBLISH = "submit", "publish"
OWN = frozenset({SAVE, SUBMITS, PUBLISH})  # what takes an account
COSTLY = frozenset({PREVIEWS, TODAY})
ELSEWHERE = (
    "This draft was saved in another tab meanwhile. What you typed here is a draft of its own now; "
    "the other one is kept as it is."
)
LOOK_FIRST = "This is what publishing does. Publish now does it; what is published never changes."
KEPT = "What you typed is kept as a draft: you find it under your name."


def sent(request: HttpRequest, held: SavedDraft | None = None) -> HttpResponse:
    """Do what the button says that was pressed."""
    do = request.POST.get("do", CHECK)
    try:
        limiter.count_request(
            request, account=request.user.pk, is_preview=do in COSTLY, is_page=True
        )
    except RateLimited as refusal:
        return _limited(request, do, refusal, held)
    if do == BEGIN:
        return _begin(request)
    if do in OWN and not request.user.is_authenticated:
        stashed_forms.stash_form(request)
        return redirect_to_login(request.get_full_path())
    form = ProfileForm.read(request.POST, held)
    if held and form.attempt(Part.WHOLE, lambda: _save_draft(request, form)) is None:
        return answered(request, form)
    return BUTTONS.get(do, _check)(request, form)


def _limited(
    request: HttpRequest, do: str, refusal: RateLimited, held: SavedDraft | None
) -> HttpResponse:
    if do == BEGIN:
        response = starting_points.answer(request, StartForm(request.POST), refusal)
    else:
        form = ProfileForm.read(request.POST, held)
        form.refuse(Part.WHOLE, refusal)
        response = answered(request, form)
    response["Retry-After"] = str(refusal.seconds)
    return response


def _begin(request: HttpRequest) -> HttpResponse:
    start = StartForm(request.POST)
    try:
        return answered(request, starting_points.begin(start))
    except Refused as refusal:
        return starting_points.answer(request, start, refusal)


def _in_json(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    return _turned(request, form, bodies.in_json)


def _in_fields(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    return _turned(request, form, bodies.in_fields)


def _turned(
    request: HttpRequest, form: ProfileForm, turn: Callable[[ProfileForm], ProfileForm]
) -> HttpResponse:
    """Show the same body in the other face; this one with errors where that is impossible."""
    other = form.attempt(Part.BODY, lambda: turn(form))
    if other:
        other.saved_draft = form.saved_draft
    return answered(request, other or form)


def _check(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    return answered(request, form, CHECK, evaluate(form))


def _preview(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    return _previewed(request, form, checked) if checked else answered(request, form, CHECK)


def _previewed(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    return answered(request, form, PREVIEW, checked, preview.shown(request, checked.draft))


def _today(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    """Take the version last published today as the base, and preview."""
    with suppress(Refused):  # the preview says what is wrong with the tag
        form.values["base"] = form_starts.last_published(TagName.parse(form.values["tag"]))
        if revised := _revised(request, form):
            form.values["seen"] = str(revised.revision)
    return _preview(request, form)


def _save(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    saved = form.saved_draft or form.attempt(Part.WHOLE, lambda: _save_draft(request, form))
    if saved is None:
        return answered(request, form)
    messages.success(request, "Saved. Nobody but you sees it until you submit it.")
    return redirect("draft", saved.pk)


def _submit(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    if checked is None:
        return answered(request, form, CHECK)
    proposal = form.attempt(Part.WHOLE, lambda: _propose(_user(request), form, checked))
    if proposal is None:
        return _not_done(request, form, checked)
    done = "revised" if form.revises else "submitted for review"
    _finish(request, form, f"{checked.draft.tag} is {done}.")
    return redirect("proposal", proposal.pk)


def _propose(user: User, form: ProfileForm, checked: CheckedBody) -> Proposal:
    tag, values = checked.draft.tag, form.values
    said: dict[str, Any] = {
        "message": values["message"],
        "base": form.expected,
        "sources": form.links,
        "key": values["key"],
        "actor": Actor(user),
        "checked": checked,
    }
    if not form.revises:
        return submission.propose(tag, checked.draft.source, **said)
    _refuse_renamed(form, tag)
    return submission.revise(
        form.revises, checked.draft.source, seen=form.revision, text=values["text"], **said
    )


def _refuse_renamed(form: ProfileForm, tag: TagName) -> None:
    proposed = timeline.find_proposal(form.revises).tag
    if proposed != str(tag):
        raise Refused(
            Code.CONFLICT,
            f"Proposal {form.revises} is for {proposed}, and stays so; {tag} takes a proposal of "
            "its own.",
        )


def _publish(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    checked = evaluate(form)
    if checked is None:
        return answered(request, form, CHECK)
    tag, user = checked.draft.tag, _user(request)
    if form.values["looked"] != checked.draft.digest:
        return _preview_first(request, form, checked)
    version = form.attempt(Part.WHOLE, lambda: _published(user, form, checked))
    if version is None and not _is_sent_twice(user, form, checked):
        return _not_done(request, form, checked)
    _finish(request, form, f"{version.exact if version else tag} is published.")
    return redirect("tag", str(tag))


def _preview_first(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    """Show who may publish what publishing does; nothing is written yet."""
    actor, tag = Actor(_user(request)), checked.draft.tag
    if not form.attempt(Part.WHOLE, lambda: permissions.require(actor, Action.PUBLISH, tag)):
        return _not_done(request, form, checked)
    form.notes = [LOOK_FIRST]
    return _previewed(request, form, checked)


def _published(user: User, form: ProfileForm, checked: CheckedBody) -> Version:
    return publishing.publish(
        checked.draft.tag,
        checked.draft.source,
        message=form.values["message"],
        actor=Actor(user),
        expected=form.expected,
        sources=form.links,
        checked=checked,
    )


def _is_sent_twice(user: User, form: ProfileForm, checked: CheckedBody) -> bool:
    """Whether the tag has changed because the same form was sent before."""
    is_stale = form.refusal is not None and form.refusal.code is Code.PRECONDITION_FAILED
    draft = checked.draft
    return is_stale and form_starts.is_newest(draft.tag, draft.source, publisher=user)


def _not_done(request: HttpRequest, form: ProfileForm, checked: CheckedBody) -> HttpResponse:
    """Show the form again; where waiting is all that helps, keep it as a draft.

    After a conflict it has another key: what it was sent with may stand for something else.
    """
    code = form.refusal.code if form.refusal else None
    if code is Code.CONFLICT:
        form.values["key"] = form_data.new_key()
    is_crowd = code is Code.RATE_LIMITED and not form.saved_draft
    if is_crowd and form.attempt(Part.WHOLE, lambda: _save_draft(request, form)) is not None:
        messages.warning(request, KEPT)
    return answered(request, form, SUBMIT, checked)


def _finish(request: HttpRequest, form: ProfileForm, message: str) -> None:
    """Say that it is done, and drop the draft that the form was kept in."""
    if form.saved_draft:
        saved_drafts.delete_draft(form.saved_draft.pk, actor=Actor(_user(request)))
    messages.success(request, message)


def _save_draft(request: HttpRequest, form: ProfileForm) -> SavedDraft:
    """Keep what was sent: in its draft, or in a new one. Raises `Refused`."""
    before = form.saved_draft
    form.saved_draft = saved = saved_drafts.save_draft(
        form_data.saved(request.POST),
        actor=Actor(_user(request)),
        tag=echo(form.values["tag"]),
        key=before.pk if before else None,
        seen=number(request.POST.get("saves", "")),
        proposal=before.proposal if before else _revised(request, form),
    )
    if before and before.pk != saved.pk:
        messages.warning(request, ELSEWHERE)
    return saved


def _revised(request: HttpRequest, form: ProfileForm) -> Proposal | None:
    """Return the proposal of one's own that the form would revise."""
    if not form.revises:
        return None
    try:
        found = timeline.find_proposal(form.revises)
    except Refused:
        return None
    return found if found.submitter_id == request.user.pk else None


def _user(request: HttpRequest) -> User:
    user: Any = request.user
    return user


BUTTONS: Mapping[str, Callable[[HttpRequest, ProfileForm], HttpResponse]] = {
    "fields": _in_fields,
    "json": _in_json,
    "check": _check,
    PREVIEWS: _preview,
    TODAY: _today,
    SAVE: _save,
    SUBMITS: _submit,
    PUBLISH: _publish,
}
