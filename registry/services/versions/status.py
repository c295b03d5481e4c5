"""The last word on a tag and on a version: who withdrew it, when, and why."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.reference import Reference
from registry.models import Deprecation, Entry, Status, Tag, Version, Withdrawal
from registry.services.versions import selection


@dataclass(frozen=True, slots=True)
class TagStatus:
    """What has become of a tag as a whole; `deprecation` is None where it is not superseded."""

    deprecation: Deprecation | None
    is_gone: bool  # every version is yanked


def find_tag(text: str) -> Tag:
    """A tag, found by its name or an alias, with whether it is deprecated. One query.

    Raises `Refused` (TAG_UNKNOWN) with near tags.
    """
    found = Tag.objects.with_deprecation().select_related("namespace")
    tag = found.filter(names__text=text).first()
    if tag is None:
        reference = Reference(text)
        raise selection.with_suggestions(selection.unknown_tag(reference), reference)
    return tag


def tag_status(text: str) -> TagStatus:
    """Of a tag, by its own name. One query, another where it is not active."""
    status = Entry.objects.filter(text=text).values_list("status", flat=True).first()
    if status == Status.ACTIVE:
        return TagStatus(None, is_gone=False)
    return TagStatus(current_deprecation(text), is_gone=status == Status.YANKED)


def current_deprecation(tag: str) -> Deprecation | None:
    """Who deprecated a tag; None where it is not deprecated, or no longer. One query."""
    found = Deprecation.objects.filter(tag__text=tag).select_related("actor", "successor")
    last = found.order_by("-sequence").first()
    return last if last and last.deprecated else None


def current_withdrawal(version: Version) -> Withdrawal | None:
    """Who yanked a version; None where it is not yanked, or no longer. One query."""
    found = Withdrawal.objects.filter(version=version.pk).select_related("actor")
    last = found.order_by("-sequence").first()
    return last if last and last.yanked else None
