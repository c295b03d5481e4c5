"""Check the options that a target passes on to LLVM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from registry.domain.errors import Code, Fault, echo
from registry.domain.names.near_names import nearest_names
from ttag_rules.llvm_options import COMPILER_OPTIONS, WRITTEN
from ttag_rules.pointer import child


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
