"""Reads redacted rows and replaced digests from the event log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from registry.models import Event

ACTION = "text.redacted"


def redaction_details() -> list[dict[str, Any]]:
    """Return the details of all readable redaction events, oldest first. One query."""
    events = Event.objects.filter(action=ACTION).order_by("number")
    details = []
    for text in events.values_list("detail", flat=True):
        with suppress(ValueError):
            details.append(json.loads(text))
    return [
        entry
        for entry in details
        if isinstance(entry, dict) and {"rows", "digests"} <= entry.keys()
    ]


def replaced_digests() -> dict[str, str]:
    """Return the new digest of every redacted version, by its published digest. One query."""
    return {old: new for detail in redaction_details() for old, new in detail["digests"].items()}


def current_digest(digest: str, replaced: Mapping[str, str]) -> str:
    """Return the digest that replaced a digest, after any number of redactions."""
    seen = {digest}
    while (digest := replaced.get(digest, digest)) not in seen:
        seen.add(digest)
    return digest


def redacted_rows(label: str) -> set[int]:
    """Return the primary keys of a model's redacted rows. One query."""
    return {pk for detail in redaction_details() for pk in detail["rows"].get(label, ())}
