"""What each button of the form does. Whatever comes of it, what was typed stands in the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
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
from registry.services import permissions, publishing
from registry.services.permissions import Action, Actor
from registry.services.reading import beginnings
from registry.services.reviewing import proposing, saving, turns
from registry.web import carried
from registry.web.submitting import bodies, form_data, form_starts, preview
from registry.web.submitting.answering import Known, answered
from registry.web.submitting.evaluation import Evaluation, evaluate
from registry.web.submitting.form_data import number
from registry.web.submitting.form_errors import Part
from registry.web.submitting.form_starts import StartForm
from registry.web.submitting.profile_form import ProfileForm
from registry.web.submitting.steps import CHECK, FILL, PREVIEW, SUBMIT

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


@dataclass(slots=True)
class Sending:
    """A form that was sent, and the draft that it is kept in."""

    request: HttpRequest
    form: ProfileForm
    held: SavedDraft | None

    @property
    def user(self) -> User:
        """Who sent it."""
        user: Any = self.request.user
        return user

    def answer(self, step: str, found: Evaluation | None = None, **known: Any) -> HttpResponse:
        """The form again, with what is known of it."""
        return answered(
            self.request,
            self.form,
            Known(step=step, evaluation=found or Evaluation(), held=self.held, **known),
        )

    def keep(self) -> SavedDraft:
        """Keep what was sent: in its draft, or in a new one. Raises `Refused`."""
        before = self.held
        self.held = saving.save(
            form_data.saved(self.request.POST),
            owner=self.user,
            tag=echo(self.form.values["tag"]),
            key=before.pk if before else None,
            seen=number(self.request.POST.get("saves", "")),
            proposal=before.proposal if before else self.revised(),
        )
        if before and before.pk != self.held.pk:
            messages.warning(self.request, ELSEWHERE)
        return self.held

    def revised(self) -> Proposal | None:
        """The proposal of one's own that the form would revise."""
        if not self.form.revises:
            return None
        try:
            found = turns.known(self.form.revises)
        except Refused:
            return None
        return found if found.submitter_id == self.user.pk else None

    def drop(self) -> None:
        """Throw the draft away: the form has done its work."""
        if self.held:
            saving.drop(self.held.pk, owner=self.user)


def sent(request: HttpRequest, held: SavedDraft | None = None) -> HttpResponse:
    """Do what the button says that was pressed."""
    do = request.POST.get("do", CHECK)
    sending = Sending(request, ProfileForm.read(request.POST), held)
    try:
        limiter.count_request(
            request, account=request.user.pk, is_preview=do in COSTLY, is_page=True
        )
    except RateLimited as refusal:
        return _limited(sending, do, refusal)
    if do == BEGIN:
        return _begin(request)
    if do in OWN and not request.user.is_authenticated:
        carried.keep(request)
        return redirect_to_login(request.get_full_path())
    if held:
        try:
            sending.keep()
        except Refused as refusal:
            sending.form.refuse(Part.WHOLE, refusal)
            return sending.answer(FILL)
    return STEPS.get(do, _check)(sending)


def _limited(sending: Sending, do: str, refusal: RateLimited) -> HttpResponse:
    if do == BEGIN:
        response = form_starts.answer(sending.request, StartForm(sending.request.POST), refusal)
    else:
        sending.form.refuse(Part.WHOLE, refusal)
        response = sending.answer(FILL)
    response["Retry-After"] = str(refusal.seconds)
    return response


def _begin(request: HttpRequest) -> HttpResponse:
    start = StartForm(request.POST)
    try:
        begun = form_starts.begin(start)
    except Refused as refusal:
        return form_starts.answer(request, start, refusal)
    return answered(request, begun.form, Known(notes=begun.notes))


def _by_json(sending: Sending) -> HttpResponse:
    return _turned(sending, bodies.in_json)


def _by_fields(sending: Sending) -> HttpResponse:
    return _turned(sending, bodies.in_fields)


def _turned(sending: Sending, turn: Callable[[ProfileForm], ProfileForm]) -> HttpResponse:
    """The other face of the same body; this one with what stands in the way of it."""
    form = sending.form
    sending.form = form.attempt(Part.BODY, lambda: turn(form)) or form
    return sending.answer(FILL)


def _check(sending: Sending) -> HttpResponse:
    return sending.answer(CHECK, evaluate(sending.form))


def _preview(sending: Sending) -> HttpResponse:
    found = evaluate(sending.form)
    if found.draft is None:
        return sending.answer(CHECK, found)
    return sending.answer(PREVIEW, found, preview=preview.shown(sending.request, found.draft))


def _today(sending: Sending) -> HttpResponse:
    """Take what there is today for the base, and look again."""
    values = sending.form.values
    with suppress(Refused):  # of the tag, as the preview says
        values["base"] = beginnings.last_published(TagName.parse(values["tag"]))
        if revised := sending.revised():
            values["seen"] = str(revised.revision)
    return _preview(sending)


def _save(sending: Sending) -> HttpResponse:
    try:
        held = sending.held or sending.keep()
    except Refused as refusal:
        sending.form.refuse(Part.WHOLE, refusal)
        return sending.answer(FILL)
    messages.success(sending.request, "Saved. Nobody but you sees it until you submit it.")
    return redirect("draft", held.pk)


def _submit(sending: Sending) -> HttpResponse:
    found = evaluate(sending.form)
    if found.tag is None or found.draft is None:
        return sending.answer(CHECK, found)
    tag = found.tag
    proposal = sending.form.attempt(Part.WHOLE, lambda: _proposed(sending, tag, found))
    if proposal is None:
        return _not_done(sending, found)
    sending.drop()
    done = "revised" if sending.form.revises else "submitted for review"
    messages.success(sending.request, f"{tag} is {done}.")
    return redirect("proposal", proposal.pk)


def _proposed(sending: Sending, tag: TagName, found: Evaluation) -> Proposal:
    form, source = sending.form, found.source or ""
    permissions.demand(Actor(sending.user), Action.PROPOSE, tag)
    if not form.revises:
        return proposing.propose(
            tag,
            source,
            message=form.values["message"],
            base=form.expected,
            actor=sending.user,
            sources=form.links,
            key=form.values["key"],
            checked=found.checked,
        )
    _refuse_renamed(form, tag)
    return proposing.revise(
        form.revises,
        source,
        message=form.values["message"],
        base=form.expected,
        seen=form.revision,
        actor=sending.user,
        sources=form.links,
        text=form.values["text"],
        key=form.values["key"],
        checked=found.checked,
    )


def _refuse_renamed(form: ProfileForm, tag: TagName) -> None:
    proposed = turns.known(form.revises).tag
    if proposed != str(tag):
        raise Refused(
            Code.CONFLICT,
            f"Proposal {form.revises} is for {proposed}, and stays so; {tag} takes a proposal of "
            "its own.",
        )


def _publish(sending: Sending) -> HttpResponse:
    found = evaluate(sending.form)
    if found.tag is None or found.draft is None:
        return sending.answer(CHECK, found)
    tag, source, draft = found.tag, found.source or "", found.draft
    may = sending.form.attempt(Part.WHOLE, lambda: _demand(sending, tag))
    if may and sending.form.values["looked"] != draft.digest:
        shown = preview.shown(sending.request, draft)
        return sending.answer(PREVIEW, found, preview=shown, notes=[LOOK_FIRST])
    version = may and sending.form.attempt(Part.WHOLE, lambda: _published(sending, tag, found))
    if version is None and not _is_sent_twice(sending, tag, source):
        return _not_done(sending, found)
    sending.drop()
    messages.success(sending.request, f"{version.exact if version else tag} is published.")
    return redirect("tag", str(tag))


def _demand(sending: Sending, tag: TagName) -> User:
    return permissions.demand(Actor(sending.user), Action.PUBLISH, tag)


def _is_sent_twice(sending: Sending, tag: TagName, source: str) -> bool:
    """Whether the tag has changed because the same form was sent before."""
    refusal = sending.form.refusal
    is_stale = refusal is not None and refusal.code is Code.PRECONDITION_FAILED
    return is_stale and beginnings.is_newest(tag, source, publisher=sending.user)


def _published(sending: Sending, tag: TagName, found: Evaluation) -> Version:
    form, source = sending.form, found.source or ""
    return publishing.publish(
        tag,
        source,
        message=form.values["message"],
        actor=sending.user,
        expected=form.expected,
        sources=form.links,
        checked=found.checked,
    )


def _not_done(sending: Sending, found: Evaluation) -> HttpResponse:
    """The form again; where waiting is all that helps, kept as a draft.

    After a conflict it has another key: what it was sent with may stand for something else.
    """
    form, refusal = sending.form, sending.form.refusal
    if refusal is not None and refusal.code is Code.CONFLICT:
        form.values["key"] = form_data.new_key()
    is_crowd = refusal is not None and refusal.code is Code.RATE_LIMITED
    kept_now = form.attempt(Part.WHOLE, sending.keep) if is_crowd and not sending.held else None
    if kept_now:
        messages.warning(sending.request, KEPT)
    return sending.answer(SUBMIT, found)


STEPS: Mapping[str, Callable[[Sending], HttpResponse]] = {
    "fields": _by_fields,
    "json": _by_json,
    "check": _check,
    PREVIEWS: _preview,
    TODAY: _today,
    SAVE: _save,
    SUBMITS: _submit,
    PUBLISH: _publish,
}
