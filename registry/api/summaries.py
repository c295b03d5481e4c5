"""A version, a deprecation and a change in a few words, the same wherever they stand."""

from __future__ import annotations

from typing import Any

from registry.domain.diff import Change
from registry.domain.tree import Leaf
from registry.models import Tag, Version
from registry.services.reading import browsing
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
        "author": version.author.username if version.author else None,
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


def change(found: Change) -> dict[str, Any]:
    """One changed leaf as JSON; a side that lacks it has no `value`."""
    return {
        "pointer": found.pointer,
        "old": _side(found.old),
        "new": _side(found.new),
        "consumers": list(found.consumers),
        "affects_tuning": found.affects_tuning,
    }


def _side(leaf: Leaf | None) -> dict[str, Any] | None:
    return None if leaf is None else {"value": leaf.value, "from": leaf.origin}
