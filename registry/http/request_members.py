"""Members of requests: each has a JSON Schema, and accepts exactly the values that it describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NoReturn

from registry.domain import document
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.reference import MAX_REFERENCE, MAX_TAG, Reference, Tag as TagName
from registry.domain.user_text import normalize_text, text_faults
from registry.domain.version_number import VersionNumber
from registry.http import patterns

Schema = dict[str, Any]


class Member:
    """A member of a request; `default` stands for it if it is absent."""

    expected: ClassVar[str]  # what errors about values of another type say
    schema: Schema

    def __init__(
        self,
        kind: Schema,
        limits: Schema | None = None,
        *,
        help_text: str = "",
        required: bool = True,
        default: Any = "",
    ) -> None:
        described = {"description": help_text} if help_text else {}
        self.schema = kind | described | (limits or {})
        self.required = required
        self.default = default

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def read(self, text: str) -> Any:
        """Parse the JSON of the member. Raises `Refused` with pointers that begin here."""
        size = len(text.encode())
        return self.parse(document.parse_json(text, max_bytes=size, max_token=size))

    def parse(self, value: Any) -> Any:
        """Return the value that services take. Raises `Refused` with pointers that begin here."""
        raise NotImplementedError

    def refuse(self, value: object) -> NoReturn:
        """Raise `Refused` (REQUEST_INVALID): the value has another type."""
        text = echo(value)
        message = f"{text} is not {self.expected}"
        fault = Fault("", Code.REQUEST_INVALID, message, self.expected, text)
        raise Refused(Code.REQUEST_INVALID, f"{message}.", faults=[fault])


class UnparsedMember(Member):
    """JSON that a service parses: its text, exactly as sent."""

    def read(self, text: str) -> str:
        return text


class TextMember(Member):
    """Text, exactly as sent."""

    expected = "text"

    def __init__(self, limits: Schema | None = None, **options: Any) -> None:
        super().__init__({"type": "string"}, limits, **options)

    def parse(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.refuse(value)
        return value


class ProseMember(TextMember):
    """Text for people to read, without control characters; visible, if it is required."""

    def __init__(self, max_length: int, *, is_multiline: bool = False, **options: Any) -> None:
        is_required = options.get("required", True)
        super().__init__(
            {"maxLength": max_length} | ({"minLength": 1} if is_required else {}), **options
        )
        self.max_length = max_length
        self.is_multiline = is_multiline

    def parse(self, value: Any) -> str:
        text: str = super().parse(value)
        refuse_all(
            text_faults(
                text if len(text) > self.max_length else normalize_text(text),
                "",
                max_length=self.max_length,
                is_required=self.required,
                is_multiline=self.is_multiline,
            )
        )
        return text


class NameMember(TextMember):
    """A name in a grammar of ours, with the function that parses it."""

    def __init__(
        self, pattern: str, max_length: int, parser: Callable[[str], Any], **options: Any
    ) -> None:
        super().__init__({"pattern": pattern, "maxLength": max_length}, default=None, **options)
        self.pattern = re.compile(pattern)
        self.parser = parser

    def parse(self, value: Any) -> Any:
        text = super().parse(value)
        try:
            name = self.parser(text)
        except Refused as refusal:  # its faults repeat its sentence
            raise Refused(refusal.code, refusal.detail, suggestions=refusal.suggestions) from None
        if not self.pattern.fullmatch(text):
            self.refuse(text)
        return name


class TagMember(NameMember):
    """The name of a tag."""

    expected = "the name of a tag"

    def __init__(self, **options: Any) -> None:
        super().__init__(patterns.TAG, MAX_TAG, TagName.parse, **options)


class ReferenceMember(NameMember):
    """A reference."""

    expected = "a reference"

    def __init__(self, **options: Any) -> None:
        super().__init__(patterns.REFERENCE, MAX_REFERENCE, Reference.parse, **options)


class ChoiceMember(TextMember):
    """One of several names, which a function looks up; it reports an unknown one."""

    def __init__(
        self, names: Iterable[str], find: Callable[[str], Any], *, default: Any = None
    ) -> None:
        super().__init__(required=False, default=default)
        self.schema = {"enum": list(names), "type": "string"}
        self.find = find

    def parse(self, value: Any) -> Any:
        return self.find(super().parse(value))


class ListMember(Member):
    """A list of texts, with a function that checks it."""

    expected = "a list of texts"

    def __init__(
        self, item: Schema, max_items: int, check: Callable[[list[str]], None], **options: Any
    ) -> None:
        items = {"type": "string"} | item
        super().__init__(
            {"type": "array", "items": items, "maxItems": max_items}, default=(), **options
        )
        self.check = check

    def parse(self, value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.refuse(value)
        self.check(value)
        return value


class SwitchMember(Member):
    """True or false."""

    expected = "true or false"

    def __init__(self, *, default: bool | None = False, help_text: str = "") -> None:
        super().__init__({"type": "boolean"}, required=False, default=default, help_text=help_text)

    def parse(self, value: Any) -> bool:
        if not isinstance(value, bool):
            self.refuse(value)
        return value


class CountMember(Member):
    """An integer of 1 or more. 1.0 is 1, because JSON does not distinguish them."""

    expected = "an integer of 1 or more"

    def __init__(self, **options: Any) -> None:
        super().__init__({"type": "integer", "minimum": 1}, **options)

    def parse(self, value: Any) -> int:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or value < 1 or value % 1:
            self.refuse(value)
        return int(value)


class NumberMember(Member):
    """The number of a version, or null."""

    expected = 'a version number such as "1.0.0", or null'

    def __init__(self, *, default: Any, help_text: str) -> None:
        kind, limits = {"type": ["string", "null"]}, {"pattern": patterns.NUMBER}
        super().__init__(kind, limits, required=False, default=default, help_text=help_text)

    def parse(self, value: Any) -> VersionNumber | None:
        try:
            return None if value is None else VersionNumber.parse(value)
        except (TypeError, ValueError):
            self.refuse(value)


def read_all(
    readers: Mapping[str, Callable[[], Any]], faults: Iterable[Fault] = ()
) -> dict[str, Any]:
    """Return the values of members by name; `faults` are those of the request as a whole.

    Raises one `Refused` for everything that is wrong, with pointers from the request's root. A
    single error of a parser keeps its code and suggestions; mixed ones are REQUEST_INVALID.
    """
    values: dict[str, Any] = {}
    refusals: list[Refused] = []
    all_faults = [*faults]
    for name, reader in readers.items():
        try:
            values[name] = reader()
        except Refused as refusal:
            refusals.append(refusal)
            all_faults += _faults_at(f"/{name}", refusal)
    if len(all_faults) == 1 and refusals and not refusals[0].faults:
        (only,) = refusals
        raise Refused(only.code, only.detail, faults=all_faults, suggestions=only.suggestions)
    refuse_all(all_faults, mixed=Code.REQUEST_INVALID)
    return values


def _faults_at(pointer: str, refusal: Refused) -> list[Fault]:
    """Return the faults of a member, whose pointers begin at it, with pointers of the request."""
    return [
        replace(fault, pointer=f"{pointer}{fault.pointer}", message=fault.message.removesuffix("."))
        for fault in refusal.errors
    ]
