"""The pages that yank, unyank, deprecate and undeprecate."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.actions.withdrawals import Deprecate, Undeprecate, Unyank, Yank
from registry.domain.reference import Reference
from registry.services.core.permissions import Action
from registry.services.tags import status
from registry.services.versions import yank_impact, yanking
from registry.web.core.action_subjects import (
    find_tag,
    find_version,
    require_applicable,
    require_permission,
    tag_name,
)
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class WithdrawalAction:
    """A form with the permission it needs and the state in which it does not apply."""

    name: str  # of the URL and of the template
    form_class: type[ActionForm]
    permission: Action
    inapplicable_state: str


YANK = WithdrawalAction("yank", Yank, Action.YANK, "already yanked")
UNYANK = WithdrawalAction("unyank", Unyank, Action.UNYANK, "not yanked")
DEPRECATE = WithdrawalAction("deprecate", Deprecate, Action.DEPRECATE, "already deprecated")
UNDEPRECATE = WithdrawalAction("undeprecate", Undeprecate, Action.UNDEPRECATE, "not deprecated")


@login_required_page
def yank(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Yank a version, and preview what resolves in its place."""
    return _version_action(request, reference, YANK)


@login_required_page
def unyank(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Revert a yank; show who yanked it and why."""
    return _version_action(request, reference, UNYANK)


@login_required_page
def deprecate(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Deprecate a tag, optionally in favour of a successor."""
    return _tag_action(request, reference, DEPRECATE)


@login_required_page
def undeprecate(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Revert a deprecation; show who deprecated it and why."""
    return _tag_action(request, reference, UNDEPRECATE)


def _version_action(
    request: HttpRequest, reference: Reference, action: WithdrawalAction
) -> HttpResponse:
    yanking.refuse_inexact(reference)
    version = find_version(reference)
    if version.exact != str(reference):  # an alias, or another spelling
        return redirect(action.name, version.exact)
    require_permission(request, action.permission, reference)
    require_applicable(request, action.form_class, version, action.inapplicable_state)
    withdrawal = status.current_withdrawal(version)
    return action_view(
        request,
        action.form_class,
        version,
        success_url=reverse("tag", args=[version.exact]),
        template=f"registry/actions/{action.name}.html",
        withdrawal=withdrawal,
        withdrawn_at=withdrawal.created if withdrawal else None,
        impact=yank_impact.compute_yank_impact(reference),
    )


def _tag_action(
    request: HttpRequest, reference: Reference, action: WithdrawalAction
) -> HttpResponse:
    tag = find_tag(reference)
    if tag.text != str(reference):
        return redirect(action.name, tag.text)
    require_permission(request, action.permission, tag_name(tag))
    require_applicable(request, action.form_class, tag, action.inapplicable_state)
    deprecation = status.current_deprecation(tag.text)
    return action_view(
        request,
        action.form_class,
        tag,
        success_url=reverse("versions", args=[tag.text]),
        template=f"registry/actions/{action.name}.html",
        deprecation=deprecation,
        deprecated_at=deprecation.created if deprecation else None,
    )
