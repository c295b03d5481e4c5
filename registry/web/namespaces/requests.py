"""The pages that ask for a namespace, and the page of a request."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.namespace_requests import (
    ClaimNamespace,
    CommentOnRequest,
    RequestNamespace,
    WithdrawRequest,
)
from registry.domain.errors import Refused
from registry.models import NamespaceRequest
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory, discussion, request_list
from registry.services.namespaces.lookup import find_namespace
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page, public_page
from registry.web.core.parameters import takes
from registry.web.proposals import history


@login_required_page
@takes("name")
def request_namespace(request: HttpRequest) -> HttpResponse:
    """Ask for a new namespace; `?name=` fills in its name."""
    name = request.POST.get("name", request.GET.get("name", "")).strip()
    return action_view(
        request,
        RequestNamespace,
        name,
        success_url=reverse("namespaces"),
        respond=partial(_made, request),
        section="namespaces",
        existing=find_namespace(name),
    )


@login_required_page
def claim(request: HttpRequest, name: str) -> HttpResponse:
    """Ask to become an owner of a namespace that exists."""
    summary = directory.namespace_summary(name)
    return action_view(
        request,
        ClaimNamespace,
        summary.namespace,
        success_url=reverse("namespace", args=[summary.namespace.name]),
        respond=partial(_made, request),
        section="namespaces",
        claimed=summary,
    )


@public_page
def namespace_request(request: HttpRequest, number: int) -> HttpResponse:
    """Show a request with its evidence, its decision and the comments on it."""
    row = request_list.find_request(number)
    user = request.user
    context = {
        "section": "namespaces",
        "row": row,
        "exists": find_namespace(row.name) is not None,
        "evidence": history.linkify(row.evidence),
        "reason": history.linkify(row.reason),
        "decision": history.linkify(row.decision),
        "created": row.created,
        "decided": row.decided,
        "history": history.remarks(discussion.all_comments(row)),
        "comment": _comment_form(row, user),
        "can_withdraw": row.is_open and row.requester_id == user.pk,
        "can_decide": row.is_open and user.is_staff,
        "can_ask_again": row.is_refused and row.requester_id == user.pk,
    }
    return render(request, "registry/namespaces/request.html", context)


def _comment_form(row: NamespaceRequest, user: Any) -> CommentOnRequest | None:
    """Return the form for a comment, if the user may add one."""
    if not user.is_authenticated:
        return None
    try:
        CommentOnRequest.refuse(row, Actor(user))
    except Refused:
        return None
    return CommentOnRequest(row, Actor(user))


@login_required_page
def comment_on_request(request: HttpRequest, number: int) -> HttpResponse:
    """Comment on an open request, as its requester or staff."""
    return action_view(
        request,
        CommentOnRequest,
        request_list.find_request(number),
        success_url=reverse("namespace-request", args=[number]),
        section="namespaces",
    )


@login_required_page
def withdraw_request(request: HttpRequest, number: int) -> HttpResponse:
    """Withdraw the user's own request."""
    return action_view(
        request,
        WithdrawRequest,
        request_list.find_request(number),
        success_url=reverse("namespace-request", args=[number]),
        section="namespaces",
    )


def _made(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    return done(request, outcome, reverse("namespace-request", args=[outcome.result.pk]))
