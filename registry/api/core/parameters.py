"""Parameters of the query string that are given once, and say what there is."""

from __future__ import annotations

import re

from django.http import HttpRequest

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all

NUMBER = re.compile(r"[0-9]{1,18}")  # more digits fit in no column


def single_value(request: HttpRequest, name: str) -> str | None:
    """A parameter; None where it is not given. Raises `Refused` (REQUEST_INVALID) for a second."""
    found = request.GET.getlist(name)
    if len(found) > 1:
        refuse_all(
            [Fault("", Code.REQUEST_INVALID, f"{name} is given twice", f"{name} once", name)]
        )
    return found[0] if found else None


def parse_number(request: HttpRequest, name: str) -> int | None:
    """A whole number from 0 on; None where it is not given. Raises `Refused` (FILTER_INVALID)."""
    text = single_value(request, name)
    if text is not None and not NUMBER.fullmatch(text):
        raise _invalid(name, text, "a whole number from 0 on, in digits")
    return None if text is None else int(text)


def is_all(request: HttpRequest, name: str) -> bool:
    """Whether a parameter asks for all, its one value. Raises `Refused` (FILTER_INVALID)."""
    text = single_value(request, name)
    if text not in (None, "all"):
        raise _invalid(name, text, "all, or no such parameter")
    return text is not None


def parse_switch(request: HttpRequest, name: str) -> bool:
    """Whether a parameter is 1; absent and 0 mean no. Raises `Refused` (REQUEST_INVALID)."""
    text = single_value(request, name)
    if text not in (None, "0", "1"):
        message = f"{name}={echo(text)} is not understood"
        refuse_all([Fault("", Code.REQUEST_INVALID, message, "1 or 0", echo(text))])
    return text == "1"


def _invalid(name: str, text: object, expected: str) -> Refused:
    message = f"{name}={echo(text)} is not understood"
    fault = Fault("", Code.FILTER_INVALID, message, expected, echo(text))
    return Refused(Code.FILTER_INVALID, f"{message}: expected {expected}.", faults=[fault])
