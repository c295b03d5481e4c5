"""Errors of forms that leave every rule to the services: what these refuse stands at its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from urllib.parse import quote

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from registry.acts.refusals import hint, sentence
from registry.domain.errors import Fault, Place, Refused
from registry.domain.reference import Tag as TagName
from registry.services.search import spelling
from registry.web.places import short

T = TypeVar("T")
MOST_LINES = 60  # of a body that are shown because something is wrong in them
CONTEXT = 1  # line before and after


class Part(StrEnum):
    """The part of a form that a refusal is about; the pointers of its faults count from there."""

    TAG = "tag"
    FIELDS = "fields"  # each fault names its field
    BODY = "body"
    WHOLE = "whole"


class FormError(ValidationError):
    """A fault at a field; `place` is its place in the field's text, `pointer` leads to it in JSON.

    `label` stands in place of the field's own.
    """

    def __init__(
        self, text: str, *, place: Place | None = None, pointer: str = "", label: str = ""
    ) -> None:
        super().__init__(text)
        self.place = place
        self.pointer = pointer
        self.label = label


@dataclass(frozen=True, slots=True)
class FormMessage:
    """An error or a warning in a sentence, with a link to what it is about, if there is one.

    `line` is that of the JSON, 0 for a message about a field; `pointer` leads on in the editor.
    """

    text: str
    href: str = ""
    label: str = ""
    line: int = 0
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body in which something is wrong, or one beside it."""

    number: int
    text: str
    is_wrong: bool
    pointer: str = ""


class ServiceForm(forms.Form):
    """A bound form that validates nothing itself: services refuse, and their faults are its errors.

    `refusals` holds what was refused, in order; the first decides the status of the page.
    """

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values, auto_id="%s", label_suffix="", use_required_attribute=False)
        self.values = values
        self.refusals: list[Refused] = []

    @property
    def refusal(self) -> Refused | None:
        """The first of what was refused."""
        return self.refusals[0] if self.refusals else None

    @property
    def tag_name(self) -> TagName:
        """The tag. Raises `Refused` (REFERENCE_INVALID) with near names."""
        text = self.values["tag"]
        try:
            return TagName.parse(text)
        except Refused as refusal:
            near = spelling.near(text) if text else ()
            raise Refused(refusal.code, refusal.detail, suggestions=near) from refusal

    def attempt(self, part: Part, answer: Callable[[], T]) -> T | None:
        """Return an answer; None where it is refused, which becomes an error of this form."""
        try:
            return answer()
        except Refused as refusal:
            self.refuse(part, refusal)
            return None

    def refuse(self, part: Part, refusal: Refused) -> None:
        """Add the errors for a refusal."""
        self.refusals.append(refusal)
        for name, error in self.errors_of(part, refusal):
            self.add_error(name, error)

    def errors_of(self, part: Part, refusal: Refused) -> Iterator[tuple[str | None, FormError]]:
        """Yield the errors for a refusal, each with the name of its field, None for the whole."""
        if part is Part.TAG:
            yield "tag", FormError(whole(refusal))
        elif part is Part.FIELDS and refusal.faults:
            yield from self.errors_of_fields(refusal.faults)
        else:
            yield None, FormError(whole(refusal))

    def errors_of_fields(self, faults: Iterable[Fault]) -> Iterator[tuple[str | None, FormError]]:
        """Yield an error for each fault whose pointer begins with the name of a field."""
        for fault in faults:
            name = fault.pointer[1:].partition("/")[0]
            yield name if name in self.fields else None, FormError(sentence(fault))

    def message_of(self, name: str | None, error: FormError) -> FormMessage:
        """Return an error with a link to its field."""
        text = error.messages[0]
        if name is None or name == NON_FIELD_ERRORS:
            return FormMessage(text)
        label, place = error.label or str(self[name].label), error.place
        if place:
            label += f", line {place.line}, column {place.column}"
        return FormMessage(text, f"#{quote(self[name].auto_id, safe='/:')}", label)

    @property
    def problems(self) -> list[FormMessage]:
        """All errors, field by field."""
        return [
            self.message_of(name, error)
            for name, errors in self.errors.as_data().items()
            for error in errors
            if isinstance(error, FormError)
        ]


def whole(refusal: Refused) -> str:
    """Return a refusal as one sentence, with what may have been meant."""
    return f"{refusal.detail} {hint(refusal)}".rstrip()


def lines(body: str, messages: Iterable[FormMessage]) -> list[Line]:
    """Return the lines of a body that messages are about, with those around them."""
    wrong = {message.line: message.pointer for message in messages if message.line}
    near = {number + by for number in wrong for by in range(-CONTEXT, CONTEXT + 1)}
    return [
        Line(number, short(text), number in wrong, wrong.get(number, ""))
        for number, text in enumerate(body.split("\n"), start=1)
        if number in near
    ][:MOST_LINES]
