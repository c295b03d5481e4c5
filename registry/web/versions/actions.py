"""The pages of the actions on a version."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, reverse

from registry.actions import versions
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.tags import status
from registry.services.versions import resolving, yanking
from registry.web.core.action_pages import reference_pages


def find_version(reference: Reference) -> Version:
    """Return the version that an exact reference names. Raises `Refused` as resolving does."""
    yanking.refuse_inexact(reference)
    return resolving.resolve(reference).version


def withdrawal_in_force(version: Version) -> dict[str, Any]:
    """Return the yank that is in force, for the page that undoes it."""
    return {"change": "Yanked", "in_force": status.current_withdrawal(version)}


def action_pages() -> list[URLPattern]:
    """Return the pages of all actions on a version."""
    return reference_pages(
        versions.VERSION,
        find_version,
        lambda action, version, outcome: reverse("tag", args=[version.exact]),
        withdrawal_in_force,
    )
