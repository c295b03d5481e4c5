"""Checks parameters that must be one of a few values, such as `state=open`, and given once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.names.near_names import nearest_first, nearest_names

MAX_EXAMPLES = 5  # of a parameter whose choices are too many to list


class InvalidChoice(Refused):
    """A value that is none of the choices of its parameter, or a name in such a value.

    `choices` has all of them and `suggestions` those that resemble the value, most similar first.
    The error lists all choices, or some as examples of a `role`, such as the vendor of a tag.
    """

    def __init__(
        self, parameter: str, text: str, choices: Iterable[str], *, code: Code, role: str = ""
    ) -> None:
        names = tuple(choices)
        near = nearest_names(text, names)
        self.parameter, self.text = parameter, text
        self.choices = nearest_first(text, names)
        expected = _expected(self.choices, role)
        message = f"{parameter}={echo(text)} is not valid"
        fault = Fault("", code, message, expected, echo(text), near)
        detail = f"{message}: expected {expected}."
        super().__init__(code, detail, faults=[fault], suggestions=near)


def invalid_filter(message: str, expected: str, found: str, near: tuple[str, ...] = ()) -> Refused:
    """Return the error (FILTER_INVALID) of a parameter, with what was expected and found.

    `near` are values that it may have meant.
    """
    fault = Fault("", Code.FILTER_INVALID, message, expected, found, near)
    detail = f"{message}: expected {expected}."
    return Refused(Code.FILTER_INVALID, detail, faults=[fault], suggestions=near)


def repeated(parameter: str) -> Fault:
    """Return the fault of a parameter that is given several times, of which one would count."""
    message = f"{parameter} is repeated"
    return Fault("", Code.REQUEST_INVALID, message, f"{parameter} once", parameter)


def _expected(choices: Sequence[str], role: str) -> str:
    if role:
        examples = ", ".join(choices[:MAX_EXAMPLES])
        return f"{role}, such as {examples}" if examples else role
    return ("one of " if len(choices) > 1 else "") + ", ".join(choices)


def check_choice(
    parameter: str, text: str, choices: Iterable[str], *, code: Code = Code.FILTER_INVALID
) -> None:
    """Raise `InvalidChoice`, with this code, unless a text is one of the choices."""
    names = tuple(choices)
    if text not in names:
        raise InvalidChoice(parameter, text, names, code=code)
