"""Checks the reason given for yanking a version or deprecating a tag."""

from __future__ import annotations

from registry.domain import user_text
from registry.domain.errors import refuse_all

MAX_REASON = 500  # characters; warnings show it next to the resolution


def check_reason(reason: str) -> str:
    """Return a reason without surrounding whitespace. Raises `Refused` (REQUEST_INVALID)."""
    reason = user_text.normalize_text(reason)
    refuse_all(user_text.text_faults(reason, "/reason", max_length=MAX_REASON, is_required=True))
    return reason
