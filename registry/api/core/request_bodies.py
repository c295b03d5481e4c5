"""Bodies of requests: JSON objects that are read whole, with all faults reported together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiSerializerExtension

from registry.domain import document
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.names.near_names import nearest_names
from registry.http.request_members import Member, Schema, read_all

MAX_REQUEST = 2 * document.MAX_BYTES  # a body and its message and sources


@dataclass(frozen=True, slots=True)
class RequestBody:
    """A request's JSON object: its name and description in OpenAPI, and its members.

    `rule` yields faults of members that do not go together; `keywords` describe it.
    """

    name: str
    description: str
    members: Mapping[str, Member]
    rule: Callable[[Collection[str]], Iterable[Fault]] = lambda _: ()
    keywords: Schema = field(default_factory=dict)
    max_bytes: int = MAX_REQUEST

    @property
    def required(self) -> list[str]:
        """Return the names of the members that every request has."""
        return [name for name, member in self.members.items() if member.required]

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema of the object."""
        return {
            "type": "object",
            "description": self.description,
            "properties": {name: member.schema for name, member in self.members.items()},
            **({"required": sorted(self.required)} if self.required else {}),
            **self.keywords,
            "additionalProperties": False,
        }

    def read(self, request: HttpRequest) -> dict[str, Any]:
        """Return the value of every member of a request, or its default.

        Raises `Refused`: LENGTH_REQUIRED, TOO_LARGE, MEDIA_TYPE_UNSUPPORTED, JSON_INVALID, or what
        is wrong with the members, all of it.
        """
        content = _content(request, self.max_bytes)
        texts = document.split_members(content, max_bytes=self.max_bytes)
        readers = {
            name: partial(member.read, texts[name])
            for name, member in self.members.items()
            if name in texts
        }
        defaults = {name: member.default for name, member in self.members.items()}
        return defaults | read_all(readers, [*self._name_faults(texts), *self.rule(texts)])

    def _name_faults(self, texts: Collection[str]) -> Iterable[Fault]:
        """Yield a fault for each member that is missing or unknown."""
        names = [*self.required, *(name for name in self.members if name not in self.required)]
        listed = ", ".join(names)
        for name in self.required:
            if name not in texts:
                message = f"the member {name} is missing"
                yield Fault(f"/{name}", Code.REQUEST_INVALID, message, f"members: {listed}")
        for name in texts:
            if name not in names:
                pointer, expected = f"/{echo(name)}", f"only {listed}" if names else "no members"
                yield unknown_name("member", name, names, pointer=pointer, expected=expected)


class RequestBodyExtension(OpenApiSerializerExtension):
    """Describes the body of a request in the OpenAPI document."""

    target_class = RequestBody

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return str(self.target.name)

    def map_serializer(self, auto_schema: Any, direction: Any) -> Schema:
        """Return the schema of the body."""
        schema: Schema = self.target.schema
        return schema


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
    media_type = request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refused(
            Code.MEDIA_TYPE_UNSUPPORTED,
            f"{echo(media_type or 'no type')} is not application/json; "
            "with curl, add -H 'Content-Type: application/json'.",
        )
    return request.body
