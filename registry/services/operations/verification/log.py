"""Checks of the event log: complete, readable, and consistent with the published versions."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import echo
from registry.models import Event, Version
from registry.services.core import redaction_marks
from registry.services.event_log import leaf_bytes
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch

TABLE = Event._meta.db_table
PUBLISHED = "version.published"


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of the event log. Three queries per 500 events."""
    last, replaced = 0, redaction_marks.replaced_digests()
    for batch in in_batches(Event.objects.order_by("number"), progress):
        digests = {}
        for event in batch:
            row = f"{event.number} {event.action} {event.subject}"
            if event.number != last + 1:
                yield mismatch(TABLE, row, "number", event.number, last + 1)
            last = event.number
            detail = leaf_bytes.detail_of(event)
            if detail is None:
                yield mismatch(TABLE, row, "detail", event.detail, "a JSON object")
            elif event.action == PUBLISHED:
                digests[event.subject] = (row, str(detail.get("digest")))
        yield from _digest_mismatches(digests, replaced)


def _digest_mismatches(
    digests: dict[str, tuple[str, str]], replaced: dict[str, str]
) -> Iterator[Finding]:
    """Yield versions whose digest differs from the one in the log."""
    tags = {exact.partition("@")[0] for exact in digests}
    light = Version.objects.filter(tag__text__in=tags).select_related("tag")
    stored = {
        version.exact: version.digest
        for version in light.only("major", "minor", "patch", "digest", "tag__text")
    }
    for exact, (row, published) in digests.items():
        expected = redaction_marks.current_digest(published, replaced)
        if exact not in stored:
            yield Finding(TABLE, row, "there is no such version", exact)
        elif stored[exact] != expected:
            table = Version._meta.db_table
            yield Finding(
                table, exact, f"digest is {stored[exact]}", f"{echo(expected)}, as event {row} says"
            )
