"""READMEs of namespaces: written by owners, revision by revision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from registry.domain import readmes
from registry.domain.errors import Code, Refused, refuse_all
from registry.models import Namespace, Readme
from registry.services.core import permissions
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event


def find_newest(namespace: Namespace) -> Readme | None:
    """Return the README in force, which may be empty; None if none was ever written. One query."""
    return _readmes(namespace).order_by("-number").first()


def require_newest(namespace: Namespace) -> Readme:
    """Return the README in force. One query. Raises `Refused` (README_UNKNOWN)."""
    readme = find_newest(namespace)
    if readme is None:
        raise Refused(Code.README_UNKNOWN, f"{namespace} has no README.")
    return readme


def find_revision(namespace: Namespace, number: int) -> Readme:
    """Return a revision of a README. One query. Raises `Refused` (README_UNKNOWN)."""
    readme = _readmes(namespace).filter(number=number).first()
    if readme is None:
        raise Refused(Code.README_UNKNOWN, f"The README of {namespace} has no revision {number}.")
    return readme


def list_revisions(
    namespace: Namespace, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[Readme]:
    """Return a page of the revisions of a README, newest first. One query."""
    rows = _readmes(namespace).defer("text").order_by("-number")
    if after:
        rows = rows.filter(number__lt=after[0])
    return paginate(rows, key=lambda readme: [readme.number], limit=limit)


def check_text(text: str) -> str:
    """Return a README, normalized. Raises `Refused` (REQUEST_INVALID) if it is not acceptable."""
    text = readmes.normalize(text)
    refuse_all(readmes.faults(text, "/text"))
    return text


def write(namespace: Namespace, *, text: str, seen: int, actor: Actor | None) -> Readme:
    """Write the next revision of a README, after the revision `seen`, which is 0 for the first.

    An empty text removes it from the page; earlier revisions stay. Without a change, writes nothing
    and returns the README in force. Raises `Refused`: REQUEST_INVALID if the text is not
    acceptable, PRECONDITION_FAILED if somebody else has written meanwhile, README_UNKNOWN if there
    is nothing to remove.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    text = check_text(text)
    with authorized_write(permission):
        newest = find_newest(namespace) if text else require_newest(namespace)
        if newest and newest.text == text:
            return newest
        number = newest.number if newest else 0
        if number != seen:
            raise Refused(
                Code.PRECONDITION_FAILED,
                f"You read revision {seen} of the README of {namespace}, but the newest is "
                f"revision {number}. Compare them, then try again.",
            )
        readme = Readme.objects.create(
            namespace=namespace, number=number + 1, text=text, author=permission.user
        )
        append_event(
            "namespace.readme_written",
            namespace.name,
            actor=permission.user,
            revision=readme.number,
        )
    return readme


def _readmes(namespace: Namespace) -> QuerySet[Readme]:
    return Readme.objects.filter(namespace=namespace).select_related("author")
