"""The form for a hardware profile: anybody fills it in, checks it and looks at what it would be."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from registry.domain.errors import Code, Refused, echo
from registry.models import SavedDraft
from registry.services.permissions import Actor
from registry.services.reading import beginnings
from registry.services.reviewing import saving
from registry.web import carried
from registry.web.page import desk, signed_in
from registry.web.submitting import form_data, form_starts
from registry.web.submitting.answering import answered
from registry.web.submitting.form_data import number
from registry.web.submitting.form_starts import StartForm
from registry.web.submitting.profile_form import ProfileForm
from registry.web.submitting.sending import sent

CARRIED = "What you typed stands in the form. It was not sent yet."


@desk
def submit(request: HttpRequest) -> HttpResponse:
    """Begin, fill in, check, preview, submit; drafts and submissions take an account."""
    if request.method == "POST":
        return sent(request)
    if typed := carried.take(request):
        return _carried(request, typed)
    if "proposal" in request.GET:
        return _revising(request)
    return _opened(request)


@signed_in
def draft(request: HttpRequest, key: UUID) -> HttpResponse:
    """One's own draft, as it was left."""
    user: Any = request.user
    typed = carried.take(request)
    try:
        held = saving.find(key, owner=user)
    except Refused:
        if typed is None and request.method != "POST":
            raise
        held = None  # submitted, dropped, or somebody else's: what was typed goes on without it
    if request.method == "POST":
        return _dropped(request, held) if request.POST.get("do") == "drop" else sent(request, held)
    if typed:
        return _carried(request, typed, held)
    if held is None:
        raise Refused(Code.DRAFT_UNKNOWN, "You have no such draft.")
    kept = form_data.restored(saving.typed_in(held))
    return answered(request, ProfileForm.read(kept, held))


def _carried(
    request: HttpRequest, typed: QueryDict, held: SavedDraft | None = None
) -> HttpResponse:
    """What was typed before one signed in."""
    if "face" not in typed:
        return form_starts.answer(request, StartForm(typed))
    form = ProfileForm.read(typed, held)
    form.notes = [CARRIED]
    return answered(request, form)


def _opened(request: HttpRequest) -> HttpResponse:
    """The first step, or the form where the address says enough: a tag that there is."""
    start = StartForm(request.GET.dict())
    if not start.values["tag"]:
        return form_starts.answer(request, start)
    try:
        existing = form_starts.find(start)
    except Refused as refusal:
        return form_starts.answer(request, start, refusal)
    if not existing.exact:
        return form_starts.answer(request, start)
    return answered(request, form_starts.of_tag(existing))


def _revising(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    user: Any = request.user
    text = request.GET["proposal"]
    if not number(text):
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(text) or '(empty)'}.")
    revision = beginnings.of_proposal(number(text), submitter=user)
    return answered(request, form_starts.of_proposal(number(text), revision))


def _dropped(request: HttpRequest, held: SavedDraft | None) -> HttpResponse:
    user: Any = request.user
    if held:
        saving.drop(held.pk, actor=Actor(user))
    return redirect("concerns")
