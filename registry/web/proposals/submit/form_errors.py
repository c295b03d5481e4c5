"""Forms whose errors come from services, each at its field or line."""

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
from registry.services.search import near_names
from registry.web.core.units import shorten

T = TypeVar("T")
MAX_LINES = 60  # lines of a body that are shown with their errors
CONTEXT_LINES = 1  # before and after an error


class Part(StrEnum):
    """The part of a form that a refusal concerns; the pointers of its faults start there."""

    TAG = "tag"
    FIELDS = "fields"  # each fault names its field
    BODY = "body"
    FORM = "form"


class FormError(ValidationError):
    """An error or a warning, with a link to its field or its line of the JSON.

    `line` is 0 outside of JSON; `pointer` locates the value in the editor.
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
    """A line of a body with an error, or next to one."""

    number: int
    text: str
    has_error: bool
    pointer: str = ""


class ServiceForm(forms.Form):
    """A bound form without validation of its own: refusals of services become its errors.

    The first of `refusals` determines the status of the page.
    """

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values, auto_id="%s", label_suffix="", use_required_attribute=False)
        self.values = values
        self.refusals: list[Refused] = []

    @property
    def refusal(self) -> Refused | None:
        """Return the first refusal, if any."""
        return self.refusals[0] if self.refusals else None

    @property
    def tag_name(self) -> TagName:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID) with similar names."""
        text = self.values["tag"]
        try:
            return TagName.parse(text)
        except Refused as refusal:
            near = near_names.similar_tags(text) if text else ()
            raise Refused(refusal.code, refusal.detail, suggestions=near) from refusal

    def attempt(self, part: Part, function: Callable[[], T]) -> T | None:
        """Call a function and return its result; on a refusal add errors and return None."""
        try:
            return function()
        except Refused as refusal:
            self.refuse(part, refusal)
            return None

    def refuse(self, part: Part, refusal: Refused) -> None:
        """Add the errors for a refusal."""
        self.refusals.append(refusal)
        for error in self.errors_for(part, refusal):
            self.add_error(error.field, error)

    def errors_for(self, part: Part, refusal: Refused) -> Iterator[FormError]:
        """Yield the errors for a refusal."""
        if part is Part.TAG:
            yield self.field_error("tag", refusal_sentence(refusal))
        elif part is Part.FIELDS and refusal.faults:
            for fault in refusal.faults:
                name, _, rest = fault.pointer[1:].partition("/")
                position = self.fault_position(name, rest, fault)
                yield self.field_error(name, fault_sentence(fault), position)
        else:
            yield FormError(refusal_sentence(refusal))

    def fault_position(self, name: str, rest: str, fault: Fault) -> str:
        """Return the position of a fault in its field, given the `rest` of its pointer."""
        return ""

    def field_error(self, name: str, text: str, position: str = "") -> FormError:
        """Return an error of a field, or of the form if it has no such field."""
        if name not in self.fields:
            return FormError(text)
        label = ", ".join(filter(None, [str(self[name].label), position]))
        return FormError(text, name, href=f"#{quote(self[name].auto_id, safe='/:')}", label=label)

    @property
    def problems(self) -> list[FormError]:
        """Return all errors, field by field."""
        errors = (error for errors in self.errors.as_data().values() for error in errors)
        return [error for error in errors if isinstance(error, FormError)]


def refusal_sentence(refusal: Refused) -> str:
    """Return a refusal as text, with its suggestions."""
    return f"{refusal.detail} {suggestion_hint(refusal)}".rstrip()


def lines_with_errors(body: str, errors: Iterable[FormError]) -> list[Line]:
    """Return the lines of a body that have errors or warnings, with their context."""
    pointers = {error.line: error.pointer for error in errors if error.line}
    offsets = range(-CONTEXT_LINES, CONTEXT_LINES + 1)
    numbers = {number + offset for number in pointers for offset in offsets}
    return [
        Line(number, shorten(text), number in pointers, pointers.get(number, ""))
        for number, text in enumerate(body.split("\n"), start=1)
        if number in numbers
    ][:MAX_LINES]
