"""Yank, deprecate, and taking either back."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.acts.act import Act
from registry.acts.withdrawing import Deprecate, Undeprecate, Unyank, Yank
from registry.domain.reference import Reference
from registry.services import withdrawing
from registry.services.permissions import Action
from registry.services.reading import foreseeing, standing
from registry.web.acting import acted
from registry.web.changing.subjects import demand, name_of, refuse_done, tag_of, version_of
from registry.web.dates import Moment
from registry.web.page import signed_in


@dataclass(frozen=True, slots=True)
class Verb:
    """An act, the right that it takes, and what a subject is where nothing is left to do."""

    name: str  # of the URL and of the template
    act: type[Act]
    action: Action
    done: str


YANK = Verb("yank", Yank, Action.YANK, "yanked already")
UNYANK = Verb("unyank", Unyank, Action.UNYANK, "not yanked")
DEPRECATE = Verb("deprecate", Deprecate, Action.DEPRECATE, "deprecated already")
UNDEPRECATE = Verb("undeprecate", Undeprecate, Action.UNDEPRECATE, "not deprecated")


@signed_in
def yank(request: HttpRequest, reference: Reference) -> HttpResponse:
    """A version withdrawn, with what would answer in its place."""
    return _of_version(request, reference, YANK)


@signed_in
def unyank(request: HttpRequest, reference: Reference) -> HttpResponse:
    """A yank taken back, with who yanked and why."""
    return _of_version(request, reference, UNYANK)


@signed_in
def deprecate(request: HttpRequest, reference: Reference) -> HttpResponse:
    """A tag superseded."""
    return _of_tag(request, reference, DEPRECATE)


@signed_in
def undeprecate(request: HttpRequest, reference: Reference) -> HttpResponse:
    """A deprecation taken back, with who deprecated and why."""
    return _of_tag(request, reference, UNDEPRECATE)


def _of_version(request: HttpRequest, reference: Reference, verb: Verb) -> HttpResponse:
    withdrawing.refuse_inexact(reference)
    version = version_of(reference)
    if version.exact != str(reference):  # another spelling of the tag
        return redirect(verb.name, version.exact)
    demand(request, verb.action, reference)
    refuse_done(request, verb.act, version, verb.done)
    withdrawn = standing.withdrawal(version)
    return acted(
        request,
        verb.act,
        version,
        leads_to=reverse("tag", args=[version.exact]),
        template=f"registry/changing/{verb.name}.html",
        withdrawn=withdrawn,
        when=Moment(withdrawn.created) if withdrawn else None,
        foreseen=foreseeing.foresee(reference),
    )


def _of_tag(request: HttpRequest, reference: Reference, verb: Verb) -> HttpResponse:
    tag = tag_of(reference)
    if tag.text != str(reference):
        return redirect(verb.name, tag.text)
    demand(request, verb.action, name_of(tag))
    refuse_done(request, verb.act, tag, verb.done)
    deprecated = standing.deprecation(tag.text)
    return acted(
        request,
        verb.act,
        tag,
        leads_to=reverse("versions", args=[tag.text]),
        template=f"registry/changing/{verb.name}.html",
        deprecated=deprecated,
        when=Moment(deprecated.created) if deprecated else None,
    )
