"""Search conditions on attributes: `num-cores>=8`, `/host/mcpu=cortex-a57`.

condition = subject operator value
subject   = option name, which matches at any depth | JSON pointer
operator  = "=" | ">" | ">=" | "<" | "<="      all but "=" need a number
value     = text | text "|" text ...           several values only after "="

Numbers may have a unit where the name of the option says what it counts: `memory_bytes>=24 GiB`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.names.choices import invalid_filter
from registry.domain.quantities import QuantityInvalid, parse_quantity
from registry.domain.search.attributes import option_name, scalar_text
from ttag_rules.pointer import PointerUnknown

MAX_CONDITIONS = 5  # of one search; each adds a database lookup
MAX_CONDITION = 300  # characters

OPERATORS = ("=", ">", ">=", "<", "<=")
PARTS = re.compile(r"((?:[^=<>!~]|~[01])*)([=<>!~]+)(.*)")
NUMBER = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?")
UNITS = {  # by how the name of an option ends
    "_bytes/": "bytes",
    "bytes_per_s/": "bytes/s",
    "ops_per_s/": "operations/s",
    "_hz/": "Hz",
    "_watts/": "W",
}
SEPARATOR = "|"  # between values of which one has to match
EXPECTED = "name=value or /pointer=value; with a number also >, >=, <, <=; such as num-cores>=8"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one attribute. An empty `pointer` matches the name at any depth.

    `texts` are the spellings that equal the value; `number` is set for the other operators.
    """

    name: str
    pointer: str
    operator: str
    texts: tuple[str, ...] = ()
    number: float | None = None

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition. Raises `Refused` (FILTER_INVALID)."""
        if len(text) > MAX_CONDITION or not text.isprintable():
            raise invalid_condition(text, f"is not 1 to {MAX_CONDITION} printable characters")
        parts = PARTS.fullmatch(text)
        subject, operator, value = (part.strip() for part in parts.groups()) if parts else [""] * 3
        if not subject or not value:
            raise invalid_condition(text, "is not a condition")
        if operator not in OPERATORS:
            raise invalid_condition(text, f"compares by {echo(operator)}, which is not an operator")
        pointer, name = _parse_subject(text, subject)
        if operator == "=":
            return cls(name, pointer, operator, texts=_spellings(text, subject, value))
        number = _number(text, subject, value)
        if number is None:
            raise invalid_condition(
                text, f"compares with {echo(value)}, which is not a finite number"
            )
        return cls(name, pointer, operator, number=number)


def parse_conditions(texts: Iterable[str]) -> tuple[Condition, ...]:
    """Parse the conditions of one search. Raises `Refused` (FILTER_INVALID), also for too many."""
    texts = list(texts)
    check_count(len(texts))
    return tuple(Condition.parse(text) for text in texts)


def check_count(count: int) -> None:
    """Raise `Refused` (FILTER_INVALID) for more conditions than a search may have."""
    if count > MAX_CONDITIONS:
        message = f"{count} conditions are too many"
        raise invalid_filter(message, f"at most {MAX_CONDITIONS}", str(count))


def invalid_condition(text: str, problem: str) -> Refused:
    """Return the error for an invalid condition."""
    fault = Fault("", Code.FILTER_INVALID, f"{echo(text)} {problem}", EXPECTED, echo(text))
    return Refused(
        Code.FILTER_INVALID, f"where={echo(text)} {problem}; expected {EXPECTED}.", faults=[fault]
    )


def _spellings(text: str, subject: str, value: str) -> tuple[str, ...]:
    """Return the texts that equal a value or one of several: `8.0` also equals `8`."""
    texts = {value: None}  # a text that has the separator inside
    for alternative in map(str.strip, value.split(SEPARATOR)):
        if not alternative:
            raise invalid_condition(text, "has an empty value")
        number = _number(text, subject, alternative)
        texts |= dict.fromkeys([alternative, *([] if number is None else [scalar_text(number)])])
    return tuple(texts)


def _number(text: str, subject: str, value: str) -> float | int | None:
    """Return a number in the unit of its option; None for what is no number.

    Raises `Refused` (FILTER_INVALID) if a unit can be read in several ways.
    """
    unit = next((unit for suffix, unit in UNITS.items() if suffix in f"{subject}/"), "")
    try:
        quantity = parse_quantity(value, unit)
    except QuantityInvalid as error:
        if not error.readings:
            return None
        readings = " or ".join(error.readings)
        raise invalid_condition(text, f"can be read in several ways: {readings}") from error
    return parse_number(value) if quantity is None else parse_number(str(float(quantity)))


def _parse_subject(text: str, subject: str) -> tuple[str, str]:
    """Return the pointer, empty for a plain name, and the name."""
    if "/" not in subject:
        return "", subject
    try:
        return subject, option_name(subject)
    except PointerUnknown as error:
        raise invalid_condition(
            text, f"has {echo(subject)}, which is not a JSON pointer"
        ) from error


def parse_number(value: str) -> float | int | None:
    """Return a finite number in JSON's notation, which may have a plus sign; otherwise None."""
    if not NUMBER.fullmatch(value):
        return None
    number = float(value)
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
