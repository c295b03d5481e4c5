"""Reading requests: bounded before they are read, split so that the body's limits are its own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.http import HttpRequest

from registry.domain import document
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.near import nearest
from registry.domain.number import Number

MAX_REQUEST = 2 * document.MAX_BYTES  # a body, and what is said about it


def members(
    request: HttpRequest,
    *,
    required: Collection[str],
    optional: Collection[str] = (),
    most: int = MAX_REQUEST,
) -> dict[str, str]:
    """The members of a request's JSON object as text, each still to be parsed.

    Raises `Refused`: LENGTH_REQUIRED, TOO_LARGE, MEDIA_TYPE_UNSUPPORTED, JSON_INVALID, or
    REQUEST_INVALID with every member that is missing or unknown.
    """
    found = document.members(_read(request, most), max_bytes=most)
    known = (*required, *optional)
    missing = [
        Fault(
            f"/{name}",
            Code.REQUEST_INVALID,
            f"the member {name} is missing",
            "members: " + ", ".join(known),
        )
        for name in required
        if name not in found
    ]
    only = "only " + ", ".join(known)
    unknown = [
        unknown_name("member", name, known, pointer=f"/{echo(name)}", expected=only)
        for name in found
        if name not in known
    ]
    refuse_all([*missing, *unknown])
    return found


def unknown_name(
    what: str, name: str, known: Collection[str], *, expected: str, pointer: str = ""
) -> Fault:
    """The fault of a name in a request that nothing has: a member's or a parameter's."""
    message = f"there is no {what} {echo(name)}"
    near = nearest(name, known)
    return Fault(pointer, Code.REQUEST_INVALID, message, expected, echo(name), near)


def _read(request: HttpRequest, most: int) -> bytes:
    length = request.META.get("CONTENT_LENGTH") or ""
    if request.META.get("HTTP_TRANSFER_ENCODING") or not length.isdecimal():
        raise Refused(
            Code.LENGTH_REQUIRED,
            "The request does not say its Content-Length; a chunked body is not read.",
        )
    if int(length) > most:
        raise Refused(
            Code.TOO_LARGE, f"{length} bytes are too many: this request has at most {most}."
        )
    if request.content_type != "application/json":
        raise Refused(
            Code.MEDIA_TYPE_UNSUPPORTED,
            f"{echo(request.content_type or 'no type')} is not application/json; "
            "with curl, add -H 'Content-Type: application/json'.",
        )
    return request.body


def text_of(found: dict[str, str], name: str, default: str = "") -> str:
    """A member that is text. Raises `Refused` (REQUEST_INVALID)."""
    value = _parsed(found, name, default)
    if not isinstance(value, str):
        refuse_all([_wrong(f"/{name}", "text", value)])
    return str(value)


def texts_of(found: dict[str, str], name: str) -> list[str]:
    """A member that is a list of texts. Raises `Refused` (REQUEST_INVALID)."""
    value = _parsed(found, name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        refuse_all([_wrong(f"/{name}", "a list of texts", value)])
    return list(value)


def switch_of(found: dict[str, str], name: str) -> bool:
    """A member that is true or false; absent is false. Raises `Refused` (REQUEST_INVALID)."""
    value = _parsed(found, name, False)
    if not isinstance(value, bool):
        refuse_all([_wrong(f"/{name}", "true or false", value)])
    return bool(value)


def count_of(found: dict[str, str], name: str) -> int:
    """A member that is a whole number from 1 on. Raises `Refused` (REQUEST_INVALID)."""
    value = _parsed(found, name, None)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value < 1 or value % 1:  # 1.0 is 1, for JSON has one sort of numbers
        refuse_all([_wrong(f"/{name}", "a whole number from 1 on", value)])
    return int(value)


def version_of(found: dict[str, str], name: str) -> Number | None:
    """A member that is the number of a version, or null. Raises `Refused` (REQUEST_INVALID)."""
    value = _parsed(found, name, None)
    try:
        return None if value is None else Number.parse(value)
    except (TypeError, ValueError):
        refuse_all([_wrong(f"/{name}", 'a version number such as "1.0.0", or null', value)])
        raise


def source_of(found: dict[str, str], name: str) -> Json:
    """A member that is text of any length, or JSON within the limits of a body.

    Raises `Refused` with pointers that count from the member.
    """
    is_text = found[name].startswith('"')
    most = len(found[name].encode()) if is_text else document.MAX_TOKEN
    return document.parse(found[name], max_token=most)


def _parsed(found: dict[str, str], name: str, default: Any) -> Any:
    if name not in found:
        return default
    size = len(found[name].encode())
    try:
        return document.parse(found[name], max_bytes=size, max_token=size)
    except Refused as refusal:  # its pointers count from the member
        refuse_all(replace(each, pointer=f"/{name}{each.pointer}") for each in refusal.faults)
        raise


def _wrong(pointer: str, expected: str, found: object) -> Fault:
    shown = echo(found)
    return Fault(pointer, Code.REQUEST_INVALID, f"{shown} is not {expected}", expected, shown)
