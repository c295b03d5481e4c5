"""What redacting has left in the log: which rows it changed, and whose digests moved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from registry.models import Event

ACTION = "text.redacted"


def redaction_details() -> list[dict[str, Any]]:
    """What each redaction says of itself, in order; none that cannot be read. One query."""
    events = Event.objects.filter(action=ACTION).order_by("number")
    found = []
    for text in events.values_list("detail", flat=True):
        with suppress(ValueError):
            found.append(json.loads(text))
    return [each for each in found if isinstance(each, dict) and each.keys() >= {"rows", "digests"}]


def replaced_digests() -> dict[str, str]:
    """Digests of what was published, with those of what is left. One query."""
    return {old: new for detail in redaction_details() for old, new in detail["digests"].items()}


def current_digest(digest: str, replaced: Mapping[str, str]) -> str:
    """What a digest has become, through as many redactions as there were."""
    seen = {digest}
    while (digest := replaced.get(digest, digest)) not in seen:
        seen.add(digest)
    return digest


def redacted_rows(label: str) -> set[int]:
    """The primary keys of a model's rows that were redacted. One query."""
    return {pk for detail in redaction_details() for pk in detail["rows"].get(label, ())}
