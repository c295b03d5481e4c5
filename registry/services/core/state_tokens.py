"""Tell whether what a form was opened on has changed since."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

LENGTH = 16  # hexadecimal digits, which tell two states of one row apart


# Decision 198: a form replaces what it was opened on.
def state_token(values: Iterable[str | bool]) -> str:
    """Return what differs between these values and others."""
    return sha256(json.dumps([*values]).encode()).hexdigest()[:LENGTH]
