"""Errors of forms that leave every rule to the services: what these refuse stands at its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from urllib.parse import quote

from django import forms
from django.core.exceptions import ValidationError

from registry.actions.form_messages import fault_sentence, suggestion_hint
from registry.domain.errors import Fault, Refused
from registry.domain.reference import Tag as TagName
from registry.services.search import name_index
from registry.web.versions.value_places import shorten

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
    """One thing that is wrong, or a warning, with a link to its field or its line of the JSON.

    `line` is 0 for what is not about JSON; `pointer` leads to the value in the editor.
    """

    def __init__(
        self,
        text: str,
        field: str | None = None,
        *,
        href: str = "",
        label: str = "",
        line: int = 0,
        pointer: str = "",
    ) -> None:
        super().__init__(text)
        self.field = field
        self.href = href
        self.label = label
        self.line = line
        self.pointer = pointer


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
            near = name_index.similar_tags(text) if text else ()
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
        for error in self.errors_of(part, refusal):
            self.add_error(error.field, error)

    def errors_of(self, part: Part, refusal: Refused) -> Iterator[FormError]:
        """Yield the errors for a refusal."""
        if part is Part.TAG:
            yield self.error_at("tag", whole(refusal))
        elif part is Part.FIELDS and refusal.faults:
            for fault in refusal.faults:
                name, _, rest = fault.pointer[1:].partition("/")
                yield self.error_at(name, fault_sentence(fault), self.place_in(name, rest, fault))
        else:
            yield FormError(whole(refusal))

    def place_in(self, name: str, rest: str, fault: Fault) -> str:
        """Return the place of a fault in its field, `rest` of its pointer leads there."""
        return ""

    def error_at(self, name: str, text: str, place: str = "") -> FormError:
        """Return an error of a field, of the whole form where there is no such field."""
        if name not in self.fields:
            return FormError(text)
        label = ", ".join(filter(None, [str(self[name].label), place]))
        return FormError(text, name, href=f"#{quote(self[name].auto_id, safe='/:')}", label=label)

    @property
    def problems(self) -> list[FormError]:
        """All errors, field by field."""
        found = (error for errors in self.errors.as_data().values() for error in errors)
        return [error for error in found if isinstance(error, FormError)]


def whole(refusal: Refused) -> str:
    """Return a refusal as one sentence, with what may have been meant."""
    return f"{refusal.detail} {suggestion_hint(refusal)}".rstrip()


def lines(body: str, messages: Iterable[FormError]) -> list[Line]:
    """Return the lines of a body that messages are about, with those around them."""
    wrong = {message.line: message.pointer for message in messages if message.line}
    near = {number + by for number in wrong for by in range(-CONTEXT, CONTEXT + 1)}
    return [
        Line(number, shorten(text), number in wrong, wrong.get(number, ""))
        for number, text in enumerate(body.split("\n"), start=1)
        if number in near
    ][:MOST_LINES]
