"""What a page is about to change: found, and whether whoever asks may."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from registry.actions.action_form import ActionForm
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor, Subject
from registry.services.versions import resolving, status


def find_version(reference: Reference) -> Version:
    """The version that an exact reference names. Raises `Refused` as resolving does."""
    return resolving.resolve(reference).version


def find_tag(reference: Reference) -> Tag:
    """The tag that a reference is of, by whichever spelling. Raises `Refused` (TAG_UNKNOWN)."""
    return status.find_tag(reference.text)


def tag_name(tag: Tag) -> TagName:
    """Its name in its parts."""
    return TagName.parse(tag.text)


def demand(request: HttpRequest, action: Action, subject: Subject) -> None:
    """Let see a form only who may send it. Raises `Refused` (FORBIDDEN).

    What was sent is judged by the service, and the form keeps what was typed.
    """
    user: Any = request.user
    if request.method != "POST":
        permissions.require(Actor(user), action, subject)


def refuse_inapplicable(
    request: HttpRequest, act: type[ActionForm], subject: Any, state: str
) -> None:
    """Let see a form only where there is something to do. Raises `Refused` (CONFLICT)."""
    if request.method != "POST" and not act.applies(subject):
        raise Refused(Code.CONFLICT, f"{subject} is {state}.", suggestions=[str(subject)])
