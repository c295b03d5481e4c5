"""Parse parameters of the query string that may only be given once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.http import HttpRequest

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.names.choices import check_choice

NUMBER = re.compile(r"[0-9]{1,18}")  # more digits fit in no column


def single_value(request: HttpRequest, name: str) -> str | None:
    """Return a parameter, or None. Raises `Refused` (REQUEST_INVALID) if it is given twice."""
    values = request.GET.getlist(name)
    if len(values) > 1:
        refuse_all([Fault("", Code.REQUEST_INVALID, f"{name} is repeated", f"{name} once", name)])
    return values[0] if values else None


def single_values(request: HttpRequest, names: Iterable[str]) -> dict[str, str]:
    """Return parameters by name; empty if absent. Raises `Refused` as `single_value` does."""
    return {name: single_value(request, name) or "" for name in names}


def parse_number(request: HttpRequest, name: str) -> int | None:
    """Return an integer of 0 or more; None if absent. Raises `Refused` (FILTER_INVALID)."""
    text = single_value(request, name)
    if text is not None and not NUMBER.fullmatch(text):
        raise _invalid(name, text, "an integer of 0 or more, digits only")
    return None if text is None else int(text)


def is_all(request: HttpRequest, name: str) -> bool:
    """Return whether a parameter is `all`, its only value. Raises `Refused` (FILTER_INVALID)."""
    text = single_value(request, name)
    if text is not None:
        check_choice(name, text, ["all"])
    return text is not None


def parse_switch(request: HttpRequest, name: str) -> bool:
    """Return whether a parameter is 1, not 0 or absent. Raises `Refused` (REQUEST_INVALID)."""
    text = single_value(request, name)
    if text is not None:
        check_choice(name, text, ["0", "1"], code=Code.REQUEST_INVALID)
    return text == "1"


def _invalid(name: str, text: object, expected: str) -> Refused:
    message = f"{name}={echo(text)} is not valid"
    fault = Fault("", Code.FILTER_INVALID, message, expected, echo(text))
    return Refused(Code.FILTER_INVALID, f"{message}: expected {expected}.", faults=[fault])
