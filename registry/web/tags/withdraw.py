"""The pages that yank and deprecate, and that revert either."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.actions.withdrawals import Deprecate, Undeprecate, Unyank, Yank
from registry.domain.reference import Reference
from registry.services.core.permissions import Action
from registry.services.versions import status, yank_impact, yanking
from registry.web.core.action_subjects import (
    demand,
    find_tag,
    find_version,
    refuse_inapplicable,
    tag_name,
)
from registry.web.core.action_views import action_view
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class Verb:
    """An action, the permission it needs, and the state in which it does not apply."""

    name: str  # of the URL and of the template
    act: type[ActionForm]
    action: Action
    done: str


YANK = Verb("yank", Yank, Action.YANK, "yanked already")
UNYANK = Verb("unyank", Unyank, Action.UNYANK, "not yanked")
DEPRECATE = Verb("deprecate", Deprecate, Action.DEPRECATE, "deprecated already")
UNDEPRECATE = Verb("undeprecate", Undeprecate, Action.UNDEPRECATE, "not deprecated")


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


def _version_action(request: HttpRequest, reference: Reference, verb: Verb) -> HttpResponse:
    yanking.refuse_inexact(reference)
    version = find_version(reference)
    if version.exact != str(reference):  # another spelling of the tag
        return redirect(verb.name, version.exact)
    demand(request, verb.action, reference)
    refuse_inapplicable(request, verb.act, version, verb.done)
    withdrawn = status.current_withdrawal(version)
    return action_view(
        request,
        verb.act,
        version,
        leads_to=reverse("tag", args=[version.exact]),
        template=f"registry/actions/{verb.name}.html",
        withdrawn=withdrawn,
        when=Moment(withdrawn.created) if withdrawn else None,
        foreseen=yank_impact.compute_yank_impact(reference),
    )


def _tag_action(request: HttpRequest, reference: Reference, verb: Verb) -> HttpResponse:
    tag = find_tag(reference)
    if tag.text != str(reference):
        return redirect(verb.name, tag.text)
    demand(request, verb.action, tag_name(tag))
    refuse_inapplicable(request, verb.act, tag, verb.done)
    deprecated = status.current_deprecation(tag.text)
    return action_view(
        request,
        verb.act,
        tag,
        leads_to=reverse("versions", args=[tag.text]),
        template=f"registry/actions/{verb.name}.html",
        deprecated=deprecated,
        when=Moment(deprecated.created) if deprecated else None,
    )
