"""The page for managing a namespace: its description, publishing policy and members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.actions.namespaces import (
    ROLE_DESCRIPTIONS,
    ChangeRole,
    DescribeNamespace,
    GrantRole,
    RemoveMember,
    SetPolicy,
    policy_warning,
)
from registry.actions.subjects import MEMBER
from registry.domain.errors import Code, Refused
from registry.http.signed_in import SignedInRequest
from registry.models import Membership, Namespace, Role
from registry.services.core import cursors, permissions
from registry.services.core.paging import LIMIT, Page, parse_limit
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory, owner_factors
from registry.services.namespaces.lookup import require_namespace
from registry.web.core import stashed_forms
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.namespaces.pending_change import pending_lines

FORM_FIELD, MEMBER_FIELD = "act", "member"  # hidden fields: the form's slug, the member's key
FORMS: dict[str, type[ActionForm]] = {
    form.slug: form for form in (DescribeNamespace, SetPolicy, GrantRole, ChangeRole)
}


@login_required_page
@takes(cursors.PARAMETER, LIMIT)
def manage(request: SignedInRequest, name: str) -> HttpResponse:
    """Show all forms on one page. An invalid form is shown with its errors and input."""
    namespace = require_namespace(name)
    user = request.user
    permissions.require(Actor(user), Action.DESCRIBE_NAMESPACE, namespace)
    members = directory.list_members(
        namespace,
        after=cursors.decode_cursor(request.path, request.GET),
        limit=parse_limit(request.GET),
    )
    if request.method == "POST":
        return _handle_post(request, namespace, members)
    form_data = stashed_forms.take_stashed(request)
    form = _bind_form(form_data, namespace, user) if form_data else None
    return _render_page(request, namespace, members, form)


@login_required_page
def remove_member(request: SignedInRequest, name: str, key: int) -> HttpResponse:
    """Ask before somebody is removed, with what they lose."""
    namespace = require_namespace(name)
    permissions.require(Actor(request.user), Action.MANAGE_MEMBERS, namespace)
    member = directory.find_member(namespace, str(key))
    return action_view(
        request,
        RemoveMember,
        member,
        success_url=reverse("manage-namespace", args=[namespace.name]),
        respond=lambda outcome: done(request, outcome, _success_url(namespace, request.user)),
        section="namespaces",
    )


def _handle_post(
    request: SignedInRequest, namespace: Namespace, members: Page[Membership]
) -> HttpResponse:
    user = request.user
    form = _bind_form(request.POST, namespace, user)
    outcome, status = form.attempt()
    if outcome is None:
        return _render_page(request, namespace, members, form, status)
    messages.success(request, outcome.message)
    return HttpResponseRedirect(_success_url(namespace, user))


def _bind_form(form_data: QueryDict, namespace: Namespace, user: Any) -> ActionForm:
    """Return the submitted form. Raises `Refused` if this page has no such form or member."""
    form_class = FORMS.get(form_data.get(FORM_FIELD, ""))
    if form_class is None:
        raise Refused(Code.REQUEST_INVALID, "This page has no such form. Reload the page.")
    subject: Any = namespace
    if form_class.subject_type is MEMBER:
        subject = directory.find_member(namespace, form_data.get(MEMBER_FIELD, ""))
    return form_class(subject, Actor(user), form_data)


def _render_page(
    request: SignedInRequest,
    namespace: Namespace,
    members: Page[Membership],
    bound_form: ActionForm | None,
    status: int = 200,
) -> HttpResponse:
    user = request.user

    def form_for(form_class: type[ActionForm], subject: Any) -> ActionForm:
        """Return the bound form if it has this class and subject, else an unbound one."""
        if isinstance(bound_form, form_class) and bound_form.subject == subject:
            form: ActionForm = bound_form
        else:
            form = form_class(subject, Actor(user))
        member = f"{subject.pk}-" if isinstance(subject, Membership) else ""
        form.auto_id = f"{form_class.slug}-{member}%s"  # unique on the page
        return form

    context = {
        "section": "namespaces",
        "namespace": namespace,
        "form_url": request.get_full_path(),
        "has_errors": bound_form is not None and bool(bound_form.errors),
        "description_form": form_for(DescribeNamespace, namespace),
        "policy_form": form_for(SetPolicy, namespace),
        "policy_warning": policy_warning(namespace),
        "factor_missing_from": owner_factors.missing_from(user, namespace),
        "pending": pending_lines(namespace),
        "grant_form": form_for(GrantRole, namespace),
        "members": [
            (member, ROLE_DESCRIPTIONS[Role(member.role)], form_for(ChangeRole, member))
            for member in members.rows
        ],
        **page_links(request, members.next_key),
    }
    return render(request, "registry/namespaces/manage.html", context, status=status)


def _success_url(namespace: Namespace, user: Any) -> str:
    """Return the URL of this page, or of the public page for somebody who left."""
    is_allowed = permissions.allowed(Actor(user), Action.DESCRIBE_NAMESPACE, namespace)
    return reverse("manage-namespace" if is_allowed else "namespace", args=[namespace.name])
