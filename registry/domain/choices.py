"""Checks values that must be one of a few, such as `state=open`."""

from __future__ import annotations

from collections.abc import Iterable

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.near_names import nearest_first, nearest_names


class InvalidChoice(Refused):
    """A value that is none of the choices of its parameter.

    `choices` has all of them and `suggestions` those that resemble the value, most similar first.
    """

    def __init__(self, parameter: str, text: str, choices: Iterable[str], *, code: Code) -> None:
        names = tuple(choices)
        near = nearest_names(text, names)
        self.parameter = parameter
        self.choices = nearest_first(text, names)
        expected = ("one of " if len(names) > 1 else "") + ", ".join(self.choices)
        message = f"{parameter}={echo(text)} is not valid"
        fault = Fault("", code, message, expected, echo(text), near)
        detail = f"{message}: expected {expected}."
        super().__init__(code, detail, faults=[fault], suggestions=near)


def check_choice(
    parameter: str, text: str, choices: Iterable[str], *, code: Code = Code.FILTER_INVALID
) -> None:
    """Raise `InvalidChoice`, with this code, unless a text is one of the choices."""
    names = tuple(choices)
    if text not in names:
        raise InvalidChoice(parameter, text, names, code=code)
