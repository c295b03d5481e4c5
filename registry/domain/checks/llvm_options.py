"""The LLVM options that a target may pass on: `cl-opt` of llvm, `llvm-options` of hexagon.

LLVM has options that write, load and print. TVM hands the text of these lists to LLVM, so nothing
but the options of `option_patterns.json` is accepted, each with its type and range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.domain.errors import Code, Fault, echo
from registry.domain.kinds.option_patterns import TABLE
from registry.domain.names.near_names import nearest_names
from registry.domain.pointer import child

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


def compiler_option_faults(option: str, texts: Sequence[object], pointer: str) -> Iterator[Fault]:
    """Yield a fault for each item of a list that LLVM must not be given, and for repeated ones."""
    first: dict[str, str] = {}
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            continue  # a fault of the schema
        written = WRITTEN.fullmatch(text)
        name = written[1] if written else ""
        if fault := _fault(option, text, written, child(pointer, index)):
            yield fault
        elif name in first:
            both = f"{echo(first[name])} and {echo(text)}"
            yield Fault(
                child(pointer, index),
                Code.OPTION_UNSAFE,
                f"{both} set one option twice: older releases of LLVM stop there",
                f"only one of {first[name]} and {text}",
                echo(text),
            )
        else:
            first[name] = text


def _fault(option: str, text: str, written: re.Match[str] | None, pointer: str) -> Fault | None:
    allowed = {name: row for name, row in COMPILER_OPTIONS.items() if option in row.options}
    known = allowed.get(written[1]) if written else None
    if known is None or written is None:
        message = f"{echo(text)} is not an LLVM option that a target may pass on"
        expected = f"an option of the registry's list, such as {allowed[_EXAMPLE].form(option)}"
        near = nearest_names(written[1], allowed) if written else ()
        return Fault(
            pointer,
            Code.OPTION_UNSAFE,
            message,
            expected,
            echo(text),
            tuple(f"-{name}" for name in near),
        )
    if known.accepts(option, written[2], written[3]):
        return None
    expected = known.form(option)
    message = f"{echo(text)} gives -{known.name} a value that it does not take: write {expected}"
    return Fault(pointer, Code.OPTION_UNSAFE, message, expected, echo(text))


_EXAMPLE = "unroll-threshold"
