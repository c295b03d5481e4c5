"""What a body would become, or why nothing: the same in a check and of a proposal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from registry.api.problems import shown
from registry.api.summaries import change
from registry.domain.errors import Fault, Refused
from registry.services.drafting import Draft


def good(draft: Draft, lints: Sequence[Fault]) -> dict[str, Any]:
    """Of a body that can be published."""
    return {
        "valid": True,
        "errors": [],
        "target": json.loads(draft.resolution.text),
        "digest": draft.digest,
        "tuning_keys": dict(draft.tuning_keys),
        "version": str(draft.number) if draft.number else None,
        "bump": draft.bump,
        "diff": [change(found) for found in draft.diff],
        "lints": [shown(lint) for lint in lints],
        "notes": [],
    }


def bad(refusal: Refused) -> dict[str, Any]:
    """Of a body that is refused."""
    nothing = dict.fromkeys(("target", "digest", "tuning_keys", "version", "bump"))
    return {
        "valid": False,
        "errors": faults(refusal),
        **nothing,
        "diff": [],
        "lints": [],
        "notes": [],
    }


def faults(refusal: Refused) -> list[dict[str, Any]]:
    """Every fault of a refusal; one of the whole body where it has none."""
    whole = Fault("", refusal.code, refusal.detail, suggestions=refusal.suggestions)
    return [shown(fault) for fault in refusal.faults or (whole,)]
