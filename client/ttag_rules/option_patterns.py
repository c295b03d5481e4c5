"""The pattern of every string of a target, from `option_patterns.json`.

A string ends up inside compilers on other machines. Registry and client refuse what could name a
file, an option or a second argument there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("option_patterns.json").read_bytes())
MAX_LENGTH: int = TABLE["maximum_length"]
REDACTED = "[redacted]"  # what a registry writes in place of text; no pattern of an option takes it


def pattern_name(kind: str, option: str) -> str | None:
    """Return the pattern that an option has by its name, in a kind that chooses no other."""
    name: str | None = TABLE["kinds"].get(kind, {}).get(option) or TABLE["options"].get(option)
    return name
