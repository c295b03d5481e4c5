"""Read request bodies: check the size first, and split the members before parsing them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import ValidationError

from registry.api.core.request_serializers import RequestSerializer, UnparsedField
from registry.domain import document
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.near_names import nearest_names


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a request's JSON object, each parsed on access."""

    texts: Mapping[str, str]
    fields: Mapping[str, Any]

    def __contains__(self, name: str) -> bool:
        return name in self.texts

    def __getitem__(self, name: str) -> Any:
        """Return a member, or the initial value of its field if it is absent.

        Raises `Refused` (REQUEST_INVALID) for a value of another type.
        """
        field = self.fields[name]
        if name not in self.texts:
            return field.get_initial()
        if isinstance(field, UnparsedField):
            return field.from_text(self.texts[name])
        value = _parse_member(name, self.texts[name])
        try:
            return field.to_internal_value(value)
        except ValidationError as error:
            refuse_all([_invalid_value(f"/{name}", "".join(map(str, error.detail)), value)])
            raise


def read(request: HttpRequest, serializer: type[RequestSerializer]) -> Members:
    """Return the members of a request's JSON object, not parsed yet.

    Raises `Refused`: LENGTH_REQUIRED, TOO_LARGE, MEDIA_TYPE_UNSUPPORTED, JSON_INVALID, or
    REQUEST_INVALID with every member that is missing or unknown.
    """
    max_bytes = serializer.max_bytes
    fields: Mapping[str, Any] = serializer().fields
    texts = document.split_members(_content(request, max_bytes), max_bytes=max_bytes)
    required = [name for name, field in fields.items() if field.required]
    names = [*required, *(name for name in fields if name not in required)]
    missing = [
        Fault(
            f"/{name}",
            Code.REQUEST_INVALID,
            f"the member {name} is missing",
            "members: " + ", ".join(names),
        )
        for name in required
        if name not in texts
    ]
    only = "only " + ", ".join(names)
    unknown = [
        unknown_name("member", name, names, pointer=f"/{echo(name)}", expected=only)
        for name in texts
        if name not in names
    ]
    refuse_all([*missing, *unknown])
    return Members(texts, fields)


def unknown_name(
    noun: str, name: str, candidates: Collection[str], *, expected: str, pointer: str = ""
) -> Fault:
    """Return the fault for an unknown member or parameter of a request."""
    message = f"there is no {noun} {echo(name)}"
    near = nearest_names(name, candidates)
    return Fault(pointer, Code.REQUEST_INVALID, message, expected, echo(name), near)


def _content(request: HttpRequest, max_bytes: int) -> bytes:
    length = request.META.get("CONTENT_LENGTH") or ""
    if request.META.get("HTTP_TRANSFER_ENCODING") or not length.isdecimal():
        raise Refused(
            Code.LENGTH_REQUIRED,
            "The request has no Content-Length; chunked bodies are not accepted.",
        )
    if int(length) > max_bytes:
        raise Refused(
            Code.TOO_LARGE, f"{length} bytes are too many: this request has at most {max_bytes}."
        )
    if request.content_type != "application/json":
        raise Refused(
            Code.MEDIA_TYPE_UNSUPPORTED,
            f"{echo(request.content_type or 'no type')} is not application/json; "
            "with curl, add -H 'Content-Type: application/json'.",
        )
    return request.body


def _parse_member(name: str, text: str) -> Any:
    size = len(text.encode())
    try:
        return document.parse_json(text, max_bytes=size, max_token=size)
    except Refused as refusal:  # its pointers start at the member
        refuse_all(replace(fault, pointer=f"/{name}{fault.pointer}") for fault in refusal.faults)
        raise


def _invalid_value(pointer: str, expected: str, value: object) -> Fault:
    text = echo(value)
    return Fault(pointer, Code.REQUEST_INVALID, f"{text} is not {expected}", expected, text)
