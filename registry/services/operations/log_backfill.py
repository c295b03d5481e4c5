"""Fills in the tree for a registry of release 0.1, whose events had none. Happens once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.models import Event, KindRevision, LogRange, User, Version
from registry.services.core.redaction_marks import ACTION
from registry.services.core.transactions import write_lock
from registry.services.event_log import leaf_bytes, tree_hashes
from registry.services.operations import redaction
from registry.services.versions.storage import store_leaves

PUBLISHED, REVISED = "version.published", "kind.revised"


def backfill() -> int:
    """Let the tree cover the events of release 0.1, marked so; return their number.

    Does nothing if there is a tree. A version or kind that was redacted has another digest than its
    event states: an event of its own states the new one.
    """
    with write_lock():
        if LogRange.objects.exists() or not Event.objects.exists():
            return 0
        tree_hashes.extend(is_backfilled=True)
        size = tree_hashes.current_range().size
        rows = Version.objects.select_related("tag").order_by("pk")
        light = rows.only("major", "minor", "patch", "digest", "tag__text")
        versions = {version.exact: version for version in light}
        published = {
            event.subject: (event.number, detail.get("digest"))
            for event, detail in _details(PUBLISHED)
            if event.subject in versions
        }
        store_leaves((number, versions[exact].pk) for exact, (number, _) in published.items())
        moved = [
            versions[exact]
            for exact, (_, digest) in published.items()
            if digest != versions[exact].digest
        ]
        revisions = list(_moved_revisions())
        if moved or revisions:
            last = Event.objects.filter(action=ACTION).latest("number")
            redaction.state_digests(moved, revisions, actor=User.objects.get(pk=last.actor_id))
    return size


def _details(action: str) -> Iterator[tuple[Event, dict[str, Any]]]:
    """Yield the events of an action, with the details that can be read."""
    for event in Event.objects.filter(action=action).order_by("number").iterator(chunk_size=1000):
        if (detail := leaf_bytes.detail_of(event)) is not None:
            yield event, detail


def _moved_revisions() -> Iterator[KindRevision]:
    logged = {
        (event.subject, detail.get("revision")): detail.get("digest")
        for event, detail in _details(REVISED)
    }
    for revision in KindRevision.objects.select_related("kind").order_by("pk"):
        digest = logged.get((revision.kind.name, revision.number))
        if digest not in {None, revision.digest}:
            yield revision
