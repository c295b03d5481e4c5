"""The current status of tags and versions: deprecations and yanks in force."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.reference import Reference
from registry.models import Deprecation, Entry, Status, Tag, Version, Withdrawal
from registry.services.versions import selection


@dataclass(frozen=True, slots=True)
class TagStatus:
    """The status of a tag; `deprecation` is None if it is not deprecated."""

    deprecation: Deprecation | None
    is_fully_yanked: bool  # all versions


def tag_named(reference: Reference) -> Tag:
    """Return a tag by its name or an alias, with its deprecation state. One query.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    tags = Tag.objects.with_deprecation().select_related("namespace")
    tag = tags.filter(names__text=reference.text).first()
    if tag is None:
        raise selection.no_such_tag(reference.text)
    return tag


def tag_status(text: str) -> TagStatus:
    """Return the status of a tag by its own name. One query, or two if it is not active."""
    status = Entry.objects.filter(text=text).values_list("status", flat=True).first()
    if status == Status.ACTIVE:
        return TagStatus(None, is_fully_yanked=False)
    return TagStatus(current_deprecation(text), is_fully_yanked=status == Status.YANKED)


def current_deprecation(tag: str) -> Deprecation | None:
    """Return the deprecation that is in force for a tag, or None. One query."""
    rows = Deprecation.objects.filter(tag__text=tag).select_related("actor", "successor")
    last = rows.order_by("-sequence").first()
    return last if last and last.deprecated else None


def current_withdrawal(version: Version) -> Withdrawal | None:
    """Return the yank that is in force for a version, or None. One query."""
    rows = Withdrawal.objects.filter(version=version.pk).select_related("actor")
    last = rows.order_by("-sequence").first()
    return last if last and last.yanked else None
