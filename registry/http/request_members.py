"""Members of requests: each has a JSON Schema, and accepts only values that it describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from registry.domain import document
from registry.domain.errors import Code, Fault, Refused, echo, refusal_of, refuse_all
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.user_text import normalize_text, text_faults
from registry.http import patterns
from ttag_rules.names import MAX_REFERENCE, MAX_TAG
from ttag_rules.selectors import DIGEST
from ttag_rules.version_number import VersionNumber

Schema = dict[str, Any]


class UnexpectedValue(Exception):
    """A value that is not what its member expects. Any other exception is a fault of ours."""


# Decision 111: one schema checks and describes a member, so all faults come at once.
@dataclass(frozen=True, slots=True)
class Member:
    """A member of a request, or what stands for it if it is absent.

    `convert` returns the value that services take. It raises `UnexpectedValue` for a value
    that is not what is `expected`, and `Refused` for other faults, with pointers that begin at the
    member. Without it, a service parses the text exactly as sent.
    """

    schema: Schema
    convert: Callable[[Any], Any] | None = None
    expected: str = ""
    required: bool = True
    default: Any = ""

    def read(self, text: str) -> Any:
        """Return the value of the member's JSON. Raises `Refused`."""
        if self.convert is None:
            return text
        size = len(text.encode())
        return self.parse(document.parse_json(text, max_bytes=size, max_token=size))

    def parse(self, value: Any) -> Any:
        """Return the value that services take. Raises `Refused`."""
        try:
            return self.convert(value) if self.convert else value
        except UnexpectedValue:
            message = f"{echo(value)} is not {self.expected}"
            fault = Fault("", Code.REQUEST_INVALID, message, self.expected, echo(value))
            raise Refused(Code.REQUEST_INVALID, message, faults=[fault]) from None


def unparsed(schema: Schema, *, required: bool = True, help_text: str = "") -> Member:
    """Return a member that a service parses: its text, exactly as sent, or None."""
    return Member(schema | _described(help_text), required=required, default=None)


def text(
    limits: Schema | None = None,
    convert: Callable[[str], Any] = str,
    *,
    expected: str = "text",
    required: bool = True,
    default: Any = "",
    help_text: str = "",
) -> Member:
    """Return a member that holds a text, exactly as sent unless a function converts it."""
    schema = {"type": "string"} | _described(help_text) | (limits or {})
    return Member(schema, lambda value: convert(_text(value)), expected, required, default)


def prose(
    max_length: int, *, is_multiline: bool = False, required: bool = True, help_text: str = ""
) -> Member:
    """Return a member for people to read, without control characters; visible, if required."""

    def check(value: str) -> str:
        measured = value if len(value) > max_length else normalize_text(value)
        rules = {"is_required": required, "is_multiline": is_multiline}
        refuse_all(text_faults(measured, "", max_length=max_length, **rules))
        return value

    limits = {"maxLength": max_length} | ({"minLength": 1} if required else {})
    return text(limits, check, required=required, help_text=help_text)


def tag_name(*, required: bool = True, help_text: str = "") -> Member:
    limits = {"pattern": patterns.TAG, "maxLength": MAX_TAG}
    convert = _named(patterns.TAG, TagName.parse)
    options: Any = {"expected": "a tag", "default": None, "help_text": help_text}
    return text(limits, convert, required=required, **options)


def reference() -> Member:
    limits = {"pattern": patterns.REFERENCE, "maxLength": MAX_REFERENCE}
    return text(limits, _named(patterns.REFERENCE, Reference.parse), expected="a reference")


def digest(*, help_text: str) -> Member:
    """Return a member that is the digest of a target, or nothing."""

    def check(value: str) -> str:
        if not DIGEST.fullmatch(value):
            raise UnexpectedValue
        return value

    options: Any = {"expected": "sha256: and 64 hex digits", "help_text": help_text}
    return text({"pattern": patterns.CONTENT}, check, required=False, **options)


def choice(names: Iterable[str], find: Callable[[str], Any], default: Any = None) -> Member:
    """Return a member that is one of several names; `find` refuses an unknown one."""
    schema = {"enum": list(names), "type": "string"}
    return Member(schema, lambda value: find(_text(value)), "text", False, default)


def texts(
    item: Schema,
    max_items: int,
    check: Callable[[list[str]], None],
    *,
    required: bool = True,
    min_items: int = 0,
) -> Member:
    """Return a member that is a list of texts, which a function checks."""

    def convert(value: Any) -> list[str]:
        if not isinstance(value, list):
            raise UnexpectedValue
        check([*map(_text, value)])
        return value

    schema = {"type": "array", "items": {"type": "string"} | item, "maxItems": max_items}
    if min_items:
        schema["minItems"] = min_items
    return Member(schema, convert, "a list of texts", required, ())


def switch(*, default: bool | None = False, help_text: str = "") -> Member:
    """Return a member that is true or false."""

    def convert(value: Any) -> bool:
        if not isinstance(value, bool):
            raise UnexpectedValue
        return value

    return Member(
        {"type": "boolean"} | _described(help_text), convert, "true or false", False, default
    )


def count(*, help_text: str, minimum: int = 1, maximum: int = 0, default: int = 0) -> Member:
    """Return a member that is an integer of `minimum` or more; 1.0 is 1, as JSON has only numbers.

    It is at most `maximum`, if that is stated, and required, unless there is a `default`.
    """
    schema = {"type": "integer", "minimum": minimum} | ({"maximum": maximum} if maximum else {})
    range_in_words = f"from {minimum} to {maximum}" if maximum else f"of {minimum} or more"
    expected = f"an integer {range_in_words}"

    def convert(value: Any) -> int:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or value < minimum or value % 1 or (maximum and value > maximum):
            raise UnexpectedValue
        return int(value)

    return Member(schema | _described(help_text), convert, expected, not default, default)


def number_or_null(*, default: Any, help_text: str) -> Member:
    """Return a member that is the number of a version, or null."""

    def convert(value: Any) -> VersionNumber | None:
        if value is None:
            return None
        try:
            return VersionNumber.parse(_text(value))
        except ValueError:
            raise UnexpectedValue from None

    kind = {"type": ["string", "null"]}
    return Member(
        kind | _described(help_text) | {"pattern": patterns.NUMBER},
        convert,
        'a version number such as "1.0.0", or null',
        required=False,
        default=default,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise UnexpectedValue
    return value


def _described(help_text: str) -> Schema:
    return {"description": help_text} if help_text else {}


def _named(pattern: str, parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a function that parses names, and also refuses what the pattern does not match."""

    def convert(value: str) -> Any:
        try:
            name = parse(value)
        except Refused as refusal:  # its faults repeat its sentence
            raise Refused(refusal.code, refusal.detail, suggestions=refusal.suggestions) from None
        if not re.fullmatch(pattern, value):
            raise UnexpectedValue
        return name

    return convert


def read_all(
    readers: Mapping[str, Callable[[], Any]], faults: Iterable[Fault] = ()
) -> dict[str, Any]:
    """Return the values of members by name; `faults` are those of the request as a whole.

    Raises one `Refused` for everything that is wrong, with pointers from the request's root. If
    one value is wrong, its code and suggestions stay; mixed ones are REQUEST_INVALID.
    """
    values: dict[str, Any] = {}
    refusals: list[Refused] = []
    all_faults = [*faults]
    for name, reader in readers.items():
        try:
            values[name] = reader()
        except Refused as refusal:
            refusals.append(refusal)
            all_faults += [
                replace(fault, pointer=f"/{name}{fault.pointer}", message=fault.message.rstrip("."))
                for fault in refusal.errors
            ]
    if len(refusals) == 1 and len(all_faults) == len(refusals[0].errors):
        (only,) = refusals
        if only.faults:
            raise refusal_of(all_faults, only.code, suggestions=only.suggestions)
        raise Refused(only.code, only.detail, faults=all_faults, suggestions=only.suggestions)
    refuse_all(all_faults, mixed=Code.REQUEST_INVALID)
    return values
