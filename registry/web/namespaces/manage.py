"""A namespace, for its owners: what is said of it, who publishes, who is in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import INVALID, ActionForm
from registry.actions.namespaces import (
    ChangeRole,
    DescribeNamespace,
    GrantRole,
    RemoveMember,
    SetPolicy,
)
from registry.domain.errors import Code, Refused
from registry.models import Membership, Namespace
from registry.services.core import cursors, permissions
from registry.services.core.paging import Page
from registry.services.core.permissions import Action, Actor
from registry.services.namespaces import directory
from registry.services.namespaces.lookup import known_namespace
from registry.web.core import stashed_forms
from registry.web.core.decorators import login_required_page

ACT, MEMBER = "act", "member"  # hidden in each form: which it is, and about whom
WHOLE = (DescribeNamespace, SetPolicy, GrantRole)  # acts on the namespace itself
OF_MEMBER = (ChangeRole, RemoveMember)


@dataclass(frozen=True, slots=True)
class Member:
    """A member with the forms of what can be done."""

    membership: Membership
    change: ActionForm
    take_away: ActionForm


@dataclass(frozen=True, slots=True)
class Sent:
    """The form that was sent, if one was: it stands in the place of its like."""

    form: ActionForm | None = None
    member: int | None = None

    def instead_of(
        self, act: type[ActionForm], subject: Any, user: Any, member: int | None = None
    ) -> ActionForm:
        """The sent form where it is this one, else a new one. Identifiers differ by form."""
        is_this = isinstance(self.form, act) and self.member == member
        form = self.form if self.form and is_this else act(subject, Actor(user))
        form.auto_id = f"{act.slug}-{member}-%s" if member else f"{act.slug}-%s"
        return form


@login_required_page
def manage(request: HttpRequest, name: str) -> HttpResponse:
    """All forms on one page; a refusal stands at its own, with what was typed."""
    namespace = known_namespace(name)
    user: Any = request.user
    permissions.require(Actor(user), Action.DESCRIBE_NAMESPACE, namespace)
    found = directory.list_members(
        namespace, after=cursors.decode_cursor(request.path, request.GET)
    )
    if request.method == "POST":
        return _acted(request, namespace, found)
    sent = Sent()
    if typed := stashed_forms.take_stashed(request):
        sent = _sent(typed, namespace, user)
    return _page(request, namespace, found, sent)


def _acted(request: HttpRequest, namespace: Namespace, found: Page[Membership]) -> HttpResponse:
    user: Any = request.user
    sent = _sent(request.POST, namespace, user)
    sentence, status = sent.form.attempt() if sent.form else (None, INVALID)
    if sentence is not None:
        messages.success(request, sentence)
        return HttpResponseRedirect(_leads_to(namespace, user))
    return _page(request, namespace, found, sent, status=status)


def _sent(typed: QueryDict, namespace: Namespace, user: Any) -> Sent:
    """The form that was sent, filled in. Raises `Refused` where it is none of this page's."""
    slug = typed.get(ACT, "")
    for act in WHOLE:
        if act.slug == slug:
            return Sent(act(namespace, Actor(user), typed))
    for act_of_member in OF_MEMBER:
        if act_of_member.slug == slug:
            member = directory.find_member(namespace, typed.get(MEMBER, ""))
            return Sent(act_of_member(member, Actor(user), typed), member.pk)
    raise Refused(Code.REQUEST_INVALID, "This page has no such form: open it anew.")


def _page(
    request: HttpRequest,
    namespace: Namespace,
    found: Page[Membership],
    sent: Sent,
    status: int = 200,
) -> HttpResponse:
    user: Any = request.user
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "here": request.get_full_path(),
        "sent": sent.form,
        "describe": sent.instead_of(DescribeNamespace, namespace, user),
        "policy": sent.instead_of(SetPolicy, namespace, user),
        "grant": sent.instead_of(GrantRole, namespace, user),
        "members": list(_members(found, sent, user)),
        "next": cursors.next_url(request.path, request.GET, found.following),
        "is_later": cursors.PARAMETER in request.GET,
    }
    return render(request, "registry/accounts/manage.html", context, status=status)


def _members(found: Page[Membership], sent: Sent, user: Any) -> Iterator[Member]:
    for each in found.rows:
        yield Member(
            each,
            sent.instead_of(ChangeRole, each, user, each.pk),
            sent.instead_of(RemoveMember, each, user, each.pk),
        )


def _leads_to(namespace: Namespace, user: Any) -> str:
    """Back here; who is no owner any more can only look."""
    may = permissions.allowed(Actor(user), Action.DESCRIBE_NAMESPACE, namespace)
    return reverse("manage" if may else "namespace", args=[namespace.name])
