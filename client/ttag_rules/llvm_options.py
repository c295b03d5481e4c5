"""The LLVM options that a target may pass on: `cl-opt` of llvm, `llvm-options` of hexagon.

LLVM has options that write, load and print. TVM hands the text of these lists to LLVM, so nothing
but the options of `option_patterns.json` is accepted, each with its type and range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ttag_rules.option_patterns import TABLE

TYPED = "cl-opt"  # TVM sets the option by the type in its text, and does not check that type
PASSING = frozenset({TYPED, "llvm-options"})  # the options that pass text on
SWITCH_VALUES = ("true", "false", "1", "0")
WRITTEN = re.compile(r"--?([A-Za-z0-9][A-Za-z0-9_.-]*)(?::([a-z]+))?(?:=(.*))?", re.ASCII)
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class CompilerOption:
    """An LLVM option: a switch, or a number from `minimum` to `maximum`."""

    name: str
    type: str  # bool or uint, as LLVM 22 registers it
    options: frozenset[str]  # that may pass it on
    effect: str
    source: str
    minimum: int = 0
    maximum: int = 0

    def form(self, option: str) -> str:
        """Return how the option is written in `cl-opt` or `llvm-options`."""
        if self.type == "bool":
            return f"-{self.name} or -{self.name}=false"
        mark = f":{self.type}" if option == TYPED else ""
        return f"-{self.name}{mark}=N with N from {self.minimum} to {self.maximum}"

    def accepts(self, option: str, stated_type: str | None, value: str | None) -> bool:
        """Return whether the text after the name gives LLVM a value of the option's type."""
        if self.type == "bool":
            if stated_type is None:
                return value is None or value in SWITCH_VALUES
            return option == TYPED and stated_type == self.type and value in SWITCH_VALUES
        if stated_type != (self.type if option == TYPED else None):
            return False
        return bool(
            value is not None
            and NUMBER.fullmatch(value)
            and self.minimum <= int(value) <= self.maximum
        )


COMPILER_OPTIONS = {
    row["name"]: CompilerOption(**{**row, "options": frozenset(row["options"])})
    for row in TABLE["compiler_options"]
}
