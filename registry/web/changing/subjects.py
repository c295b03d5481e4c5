"""What a page is about to change: found, and whether whoever asks may."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from registry.acts.act import Act
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services import permissions, resolving
from registry.services.permissions import Action, Actor, Subject
from registry.services.reading import standing


def version_of(reference: Reference) -> Version:
    """The version that an exact reference names. Raises `Refused` as resolving does."""
    return resolving.resolve(reference).version


def tag_of(reference: Reference) -> Tag:
    """The tag that a reference is of, by whichever spelling. Raises `Refused` (TAG_UNKNOWN)."""
    return standing.named(reference.text)


def name_of(tag: Tag) -> TagName:
    """Its name in its parts."""
    return TagName.parse(tag.text)


def demand(request: HttpRequest, action: Action, subject: Subject) -> None:
    """Let see a form only who may send it. Raises `Refused` (FORBIDDEN).

    What was sent is judged by the service, and the form keeps what was typed.
    """
    user: Any = request.user
    if request.method != "POST":
        permissions.require(Actor(user), action, subject)


def refuse_done(request: HttpRequest, act: type[Act], subject: Any, state: str) -> None:
    """Let see a form only where there is something to do. Raises `Refused` (CONFLICT)."""
    if request.method != "POST" and not act.applies(subject):
        raise Refused(Code.CONFLICT, f"{subject} is {state}.", suggestions=[str(subject)])
