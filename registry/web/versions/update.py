"""The page that rebases an outdated tag: preview the changes, then publish or propose them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.domain.bump_meanings import MEANINGS
from registry.domain.reference import Reference, Tag as TagName
from registry.http.signed_in import SignedInRequest, is_allowed
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import submission
from registry.services.tags import status
from registry.services.versions import outdated, rebasing
from registry.services.versions.impact import compute_impact
from registry.services.versions.outdated import Update
from registry.web.core.decorators import login_required_page, private_page
from registry.web.versions import impact_rows
from registry.web.versions.diff_rows import draft_changes

MAX_MOVES = 20  # references that are listed
TEMPLATE = "registry/versions/update.html"


def update(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Show the changes to anybody; publish or propose them for signed-in users."""
    return (_post if request.method == "POST" else _preview)(request, **kwargs)


@private_page
def _preview(request: HttpRequest, reference: Reference) -> HttpResponse:
    tag = status.tag_named(reference)
    if tag.text != str(reference):
        return redirect("update", tag.text)
    return render(request, TEMPLATE, _context(request, TagName.parse(tag.text)))


@login_required_page
def _post(request: SignedInRequest, reference: Reference) -> HttpResponse:
    name = TagName.parse(status.tag_named(reference).text)
    update = outdated.compute_update(name)
    if update.redraft.draft is None:
        messages.warning(request, f"{name} is up to date or cannot be rebased.")
    elif request.POST.get("seen") != _state_token(update):
        messages.warning(
            request, f"{name} or one of its dependencies changed meanwhile. Please review again."
        )
    elif request.POST.get("do") == "propose":
        return _propose(request, name, update)
    else:
        return _publish(request, name)
    return redirect("update", str(name))


def _publish(request: SignedInRequest, name: TagName) -> HttpResponse:
    outcome = rebasing.rebase(rebasing.plan_updates([name]), actor=Actor(request.user))
    for exact in outcome.published:
        messages.success(request, f"{exact} is published.")
        return redirect("tag", str(name))
    for text, reason in outcome.skipped:
        messages.warning(request, f"{text} was not rebased: {reason}.")
    return redirect("update", str(name))


def _propose(request: SignedInRequest, name: TagName, update: Update) -> HttpResponse:
    proposal = submission.propose(
        name,
        update.version.source,
        message=rebasing.rebase_message(update.redraft),
        sources=update.version.source_urls,
        base=update.last_published,
        actor=Actor(request.user),
        key=request.POST.get("key", ""),
    )
    messages.success(request, f"The rebase of {name} is proposed.")
    return redirect("proposal", proposal.pk)


def _context(request: HttpRequest, name: TagName) -> dict[str, Any]:
    update = outdated.compute_update(name)
    redraft = update.redraft
    context: dict[str, Any] = {
        "name": name,
        "update": update,
        "moves": redraft.moves[:MAX_MOVES],
        "more_moves": max(len(redraft.moves) - MAX_MOVES, 0),
        "section": "tags",
    }
    draft = redraft.draft
    if draft is None or draft.bump is None:
        return context
    return context | {
        "draft": draft,
        "meaning": MEANINGS[draft.bump],
        **draft_changes(draft),
        "impact": impact_rows.impact_context(compute_impact(draft, limit=impact_rows.MAX_ROWS)),
        "seen": _state_token(update),
        "key": uuid4(),
        "can_publish": is_allowed(request, Action.PUBLISH, name),
    }


def _state_token(update: Update) -> str:
    """Return a token of the current version and its redraft, to detect changes in between."""
    draft = update.redraft.draft
    return f"{update.version.exact} {draft.digest}" if draft else ""
