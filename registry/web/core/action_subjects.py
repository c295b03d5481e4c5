"""Look up the subject of an action page, and check that its form may be shown."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from registry.actions.action_form import ActionForm
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor, Subject
from registry.services.tags import status
from registry.services.versions import resolving


def find_version(reference: Reference) -> Version:
    """Return the version that an exact reference names. Raises `Refused` as resolving does."""
    return resolving.resolve(reference).version


def find_tag(reference: Reference) -> Tag:
    """Return the tag of a reference, or of an alias. Raises `Refused` (TAG_UNKNOWN)."""
    return status.find_tag(reference.text)


def tag_name(tag: Tag) -> TagName:
    return TagName.parse(tag.text)


def require_permission(request: HttpRequest, action: Action, subject: Subject) -> None:
    """Raise `Refused` (FORBIDDEN) if the user may not perform the action (GET only).

    On POST the service checks it, so that the form keeps its input.
    """
    user: Any = request.user
    if request.method != "POST":
        permissions.require(Actor(user), action, subject)


def require_applicable(
    request: HttpRequest, form_class: type[ActionForm], subject: Any, state: str
) -> None:
    """Raise `Refused` (CONFLICT) if the action does not apply to the subject's state (GET only)."""
    if request.method != "POST" and not form_class.is_available(subject):
        raise Refused(Code.CONFLICT, f"{subject} is {state}.", suggestions=[str(subject)])
