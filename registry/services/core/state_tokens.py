"""Tell whether what a form was opened on has changed since, and refuse to replace that."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from registry.domain.errors import Code, Refused

LENGTH = 16  # hexadecimal digits, which tell two states of one row apart


# Decision 198: a form replaces what it was opened on.
def state_token(values: Iterable[str | bool]) -> str:
    """Return what differs between these values and others."""
    return sha256(json.dumps([*values]).encode()).hexdigest()[:LENGTH]


def refuse_changed(seen: str, current: str, detail: str) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) unless `seen`, if stated, is the current token."""
    if seen and seen != current:
        raise Refused(Code.PRECONDITION_FAILED, detail)
