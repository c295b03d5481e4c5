"""The page that submits a hardware profile, and the page of a saved draft."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from registry.domain.errors import Code, Refused, echo
from registry.http.signed_in import SignedInRequest
from registry.models import SavedDraft
from registry.services.core.permissions import Actor
from registry.services.proposals import form_starts, saved_drafts
from registry.web.core import stashed_forms
from registry.web.core.decorators import login_required_page, private_page, returnable
from registry.web.core.parameters import takes
from registry.web.proposals.submit import form_data, start_form, starting_points
from registry.web.proposals.submit.form_buttons import handle_post, rate_refusal, restore
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_page import render_form
from registry.web.proposals.submit.form_state import FormState, parse_number
from registry.web.proposals.submit.start_page import render_start


@returnable
@private_page
@takes(*start_form.PARAMETERS)
def submit(request: HttpRequest) -> HttpResponse:
    """Start, fill in, check, preview and submit a profile; saving and submitting need an account.

    With `?tag=` the form starts from a tag, and `?group=` opens a group of its fields; with
    `?searched=` its tag is filled in, from a text that no tag matches; with `?proposal=` it revises
    a proposal.
    """
    form_data.rename_fields(request)
    if request.method == "POST":
        return handle_post(request)
    if stashed := stashed_forms.take_stashed(request):
        return restore(request, form_data.with_current_names(stashed))
    if "proposal" in request.GET:
        return _revise(request)
    return _start(request)


@returnable
@login_required_page
def draft(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show the user's own draft, save and submit it, or delete it."""
    form_data.rename_fields(request)
    stashed = stashed_forms.take_stashed(request)
    saved_draft = None
    try:
        saved_draft = saved_drafts.find_draft(key, owner=request.user)
    except Refused:  # submitted, deleted or somebody else's; the input is kept without it
        if stashed is None and request.method != "POST":
            raise
    if request.method == "POST":
        if request.POST.get("do") == "delete":
            return _delete(request, saved_draft)
        return handle_post(request, saved_draft)
    if stashed:
        return restore(request, form_data.with_current_names(stashed), saved_draft)
    if saved_draft is None:
        raise Refused(Code.DRAFT_UNKNOWN, "You have no such draft.")
    post = form_data.saved_post(saved_drafts.draft_fields(saved_draft))
    return render_form(request, FormState.read(post, saved_draft))


def _start(request: HttpRequest) -> HttpResponse:
    """Show the first step, or skip it if the query chooses a start or names an existing tag."""
    start = start_form.start_from_query(request)
    if "start_from" in request.GET:
        return _begin(request, start)
    if start_form.SEARCHED in request.GET or not start.values["tag"]:
        return render_start(request, start)
    existing = start.attempt(Part.FIELDS, lambda: starting_points.find_existing(start))
    if existing is None or not existing.exact:
        return render_start(request, start)
    form = starting_points.form_from_tag(existing)
    form.requested_group = request.GET.get("group", "")
    return render_form(request, form)


def _begin(request: HttpRequest, start: FormState) -> HttpResponse:
    """Show the form that begins with the start; the first step if that has errors."""
    if refusal := rate_refusal(request):
        start.refuse(Part.FORM, refusal)
        return render_start(request, start)
    form = starting_points.form_from_start(start)
    return render_form(request, form) if form else render_start(request, start)


def _revise(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    text = request.GET["proposal"]
    number = parse_number(text)
    if not number:
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(text) or '(empty)'}.")
    revision = form_starts.start_from_proposal(number, submitter=user)
    return render_form(request, starting_points.form_from_proposal(number, revision))


def _delete(request: SignedInRequest, saved_draft: SavedDraft | None) -> HttpResponse:
    if saved_draft:
        saved_drafts.delete_draft(saved_draft.pk, actor=Actor(request.user))
    return redirect("your-work")
