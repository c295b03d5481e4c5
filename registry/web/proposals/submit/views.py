"""The form for a hardware profile: anybody fills it in, checks it and looks at what it would be."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from registry.domain.errors import Code, Refused, echo
from registry.models import SavedDraft
from registry.services.core.permissions import Actor
from registry.services.proposals import form_starts, saved_drafts
from registry.web.core import stashed_forms
from registry.web.core.decorators import login_required_page, private_page
from registry.web.proposals.submit import form_data, starting_points
from registry.web.proposals.submit.form_buttons import sent
from registry.web.proposals.submit.form_data import number
from registry.web.proposals.submit.form_page import answered
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.starting_points import StartForm

CARRIED = "What you typed stands in the form. It was not sent yet."


@private_page
def submit(request: HttpRequest) -> HttpResponse:
    """Begin, fill in, check, preview, submit; drafts and submissions take an account."""
    if request.method == "POST":
        return sent(request)
    if typed := stashed_forms.take_stashed(request):
        return _carried(request, typed)
    if "proposal" in request.GET:
        return _revising(request)
    return _opened(request)


@login_required_page
def draft(request: HttpRequest, key: UUID) -> HttpResponse:
    """One's own draft, as it was left."""
    user: Any = request.user
    typed = stashed_forms.take_stashed(request)
    try:
        held = saved_drafts.find_draft(key, owner=user)
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
    kept = form_data.restored(saved_drafts.draft_fields(held))
    return answered(request, ProfileForm.read(kept, held))


def _carried(
    request: HttpRequest, typed: QueryDict, held: SavedDraft | None = None
) -> HttpResponse:
    """What was typed before one signed in."""
    if "face" not in typed:
        return starting_points.answer(request, StartForm(typed))
    form = ProfileForm.read(typed, held)
    form.notes = [CARRIED]
    return answered(request, form)


def _opened(request: HttpRequest) -> HttpResponse:
    """The first step, or the form where the address says enough: a tag that there is."""
    start = StartForm(request.GET.dict())
    if not start.values["tag"]:
        return starting_points.answer(request, start)
    try:
        existing = starting_points.find(start)
    except Refused as refusal:
        return starting_points.answer(request, start, refusal)
    if not existing.exact:
        return starting_points.answer(request, start)
    return answered(request, starting_points.of_tag(existing))


def _revising(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    user: Any = request.user
    text = request.GET["proposal"]
    if not number(text):
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(text) or '(empty)'}.")
    revision = form_starts.start_from_proposal(number(text), submitter=user)
    return answered(request, starting_points.of_proposal(number(text), revision))


def _dropped(request: HttpRequest, held: SavedDraft | None) -> HttpResponse:
    user: Any = request.user
    if held:
        saved_drafts.delete_draft(held.pk, actor=Actor(user))
    return redirect("concerns")
