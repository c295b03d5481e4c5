"""Parse parameters of the query string that may only be given once, as `Resource` checks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from registry.domain.errors import Code, echo
from registry.domain.names.choices import check_choice, invalid_filter
from registry.services.core import cursors
from registry.services.core.paging import parse_limit

NUMBER = re.compile(r"[0-9]{1,18}")  # more digits fit in no column


def texts(request: HttpRequest, names: Iterable[str]) -> dict[str, str]:
    """Return parameters by name; empty if absent."""
    return {name: request.GET.get(name, "") for name in names}


def requested_page(request: HttpRequest) -> dict[str, Any]:
    """Return `after` and `limit` of a list, as services take them. Raises `Refused`."""
    after = cursors.decode_cursor(request.path, request.GET)
    return {"after": after, "limit": parse_limit(request.GET)}


def parse_number(request: HttpRequest, name: str) -> int | None:
    """Return an integer of 0 or more; None if absent. Raises `Refused` (FILTER_INVALID)."""
    text = request.GET.get(name)
    if text is not None and not NUMBER.fullmatch(text):
        message = f"{name}={echo(text)} is not valid"
        raise invalid_filter(message, "an integer of 0 or more, digits only", echo(text))
    return None if text is None else int(text)


def is_all(request: HttpRequest, name: str) -> bool:
    """Return whether a parameter is `all`, its only value. Raises `Refused` (FILTER_INVALID)."""
    text = request.GET.get(name)
    if text is not None:
        check_choice(name, text, ["all"])
    return text is not None


def parse_switch(request: HttpRequest, name: str) -> bool:
    """Return whether a parameter is 1, not 0 or absent. Raises `Refused` (REQUEST_INVALID)."""
    text = request.GET.get(name)
    if text is not None:
        check_choice(name, text, ["0", "1"], code=Code.REQUEST_INVALID)
    return text == "1"
