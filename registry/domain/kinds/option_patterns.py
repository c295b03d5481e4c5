"""The pattern of every string of a target, and the faults of what does not match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from registry.domain.errors import Code, Fault, echo
from ttag_rules.option_patterns import MAX_LENGTH, TABLE, pattern_name

DEFINITION = "#/$defs/"
FEATURES, FEATURE = "features", "feature"  # a list of features, and one of them


@dataclass(frozen=True, slots=True)
class Pattern:
    """The form of a string: `expected` is readable text; `reserved` are values with a reason."""

    name: str
    regex: re.Pattern[str]
    expected: str
    reserved: Mapping[str, str]

    def matches(self, text: str) -> bool:
        """Return whether a text has the form of the pattern, whether or not it is reserved."""
        return len(text) <= MAX_LENGTH and self.regex.fullmatch(text) is not None

    def fault(self, text: str, pointer: str) -> Fault | None:
        """Return the fault of a text: VALUE_PATTERN, or OPTION_UNSAFE for a reserved value."""
        if not self.matches(text):
            value = echo(text)
            message = f"{value or 'an empty text'} is not {self.expected}"
            return Fault(pointer, "VALUE_PATTERN", message, self.expected, value)
        if reason := self.reserved.get(text):
            value = echo(text)
            message = f"{value} names nothing to compile for: with it, {reason}"
            return Fault(pointer, Code.OPTION_UNSAFE, message, self.expected, value)
        return None


PATTERNS = {
    name: Pattern(
        name,
        re.compile(described["pattern"], re.ASCII),
        described["expected"],
        TABLE["reserved"].get(name, {}),
    )
    for name, described in TABLE["patterns"].items()
}
DEFAULT: Pattern = PATTERNS[TABLE["default"]]


@lru_cache(maxsize=4096)  # for every string of every body; kinds have fewer options
def named_pattern(kind: str, option: str) -> Pattern:
    """Return the pattern that an option has by its name, for a kind that chooses no other."""
    name = pattern_name(kind, option)
    return PATTERNS[name] if name else DEFAULT


def chosen_pattern(schema: Mapping[str, Any]) -> Pattern | None:
    """Return the pattern that a schema chooses by its `$ref`; None if it chooses none."""
    name = str(schema.get("$ref", "")).removeprefix(DEFINITION)
    return PATTERNS.get(FEATURE if name == FEATURES else name)
