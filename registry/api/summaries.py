"""A version and a deprecation in a few words, the same wherever they stand."""

from __future__ import annotations

from typing import Any

from registry.models import Tag, Version
from registry.services import browsing
from registry.services.resolving import ACTIVE, YANKED


def summary(version: Version) -> dict[str, Any]:
    """A version without its target."""
    return {
        "reference": version.exact,
        "version": str(version.number),
        "digest": version.digest,
        "kind": version.kind or None,
        "published": version.date,
        "publisher": version.publisher.username,
        "message": version.message,
        "sources": browsing.sources_of(version),
        "status": YANKED if version.yanked else ACTIVE,
        "yanked": version.last_reason if version.yanked else None,
    }


def deprecation(tag: Tag) -> dict[str, str | None] | None:
    """Why a tag is superseded and by what; None where it is not. Needs `with_deprecation`."""
    if not tag.last_deprecated:
        return None
    return {"reason": tag.last_deprecation, "successor": tag.last_successor}
