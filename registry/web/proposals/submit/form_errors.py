"""The errors and warnings of the form, each at its input or its line of the JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from registry.actions.form_messages import fault_sentence, suggestion_hint
from registry.domain import body_form
from registry.domain.body_form import Start, device_rows
from registry.domain.errors import Code, Fault, Refused, TextPosition
from registry.domain.json_positions import find_positions
from registry.services.core import shipped_facts
from registry.web.core.units import MAX_TEXT
from registry.web.proposals.submit.form_data import PREFIX
from ttag_rules.echo import shorten

MAX_LINES = 60  # lines of a body that are shown with their errors
CONTEXT_LINES = 1  # before and after an error
FIRST_DEVICE = device_rows.row_pointer(0)


class Part(StrEnum):
    """The part of a form that a refusal concerns; the pointers of its faults start there."""

    TAG = "tag"
    FIELDS = "fields"  # each fault names its input
    TEXTS = "texts"  # of the guided fields, which could not be read
    BODY = "body"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class FormError:
    """An error or a warning: in words, and the name of its input, empty for the whole form.

    `place` is the position in the input. In JSON, `line` is its number, else 0, and `pointer` the
    value for the editor.
    """

    message: str
    name: str = ""
    place: str = ""
    line: int = 0
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body with an error, or next to one."""

    number: int
    text: str
    has_error: bool
    pointer: str = ""


def errors_of(
    part: Part, refusal: Refused, values: dict[str, str], start: Start | None
) -> Iterator[FormError]:
    """Yield the errors for a refusal of a part of the form with these values."""
    if part is Part.TAG:
        yield FormError(_refusal_words(refusal), "tag")
    elif part is Part.FIELDS and refusal.faults:
        yield from (_field_error(fault, values) for fault in refusal.faults)
    elif part in (Part.TEXTS, Part.BODY) and refusal.faults:
        yield from body_errors(refusal.faults, values, start, is_of_text=part is Part.TEXTS)
    elif part is Part.BODY and start is None:
        yield _json_error(refusal.place, _refusal_words(refusal))
    else:
        yield FormError(_refusal_words(refusal))


def body_errors(
    faults: Sequence[Fault],
    values: dict[str, str],
    start: Start | None,
    *,
    is_of_text: bool = False,
) -> Iterator[FormError]:
    """Yield an error or a warning for each fault of the body, at its field or its line."""
    if start is None:
        positions = find_positions(values["body"], {fault.pointer for fault in faults})
        for fault in faults:
            pointer, words = fault.pointer, _fault_words(fault)
            text = f"{pointer}: {words}" if pointer else words
            yield _json_error(positions[pointer] if pointer else None, text, pointer)
        return
    texts = {name.removeprefix(PREFIX): values[name] for name in values if name.startswith(PREFIX)}
    fields = (
        body_form.field_pointer(fault, start, texts, is_of_text=is_of_text) for fault in faults
    )
    errors = (
        FormError(_fault_words(fault), "" if field is None else PREFIX + _input_of(field))
        for fault, field in zip(faults, fields, strict=True)
    )
    yield from dict.fromkeys(errors)  # forty equal devices have one input


def _input_of(field: str) -> str:
    return FIRST_DEVICE if field == device_rows.DEVICES_POINTER else field


def _field_error(fault: Fault, values: dict[str, str]) -> FormError:
    """Return the error of an input whose name begins the pointer; the rest is a place in it."""
    name, _, rest = fault.pointer[1:].partition("/")
    place = ""
    if name == "source":
        pointer = f"/{rest}"
        position = find_positions(values["source"], [pointer])[pointer] if rest else fault.place
        place = _position_text(position) if position else ""
    elif rest.isdecimal():
        place = f"line {int(rest) + 1}"
    return FormError(_fault_words(fault), name, place)


def _json_error(position: TextPosition | None, text: str, pointer: str = "") -> FormError:
    if position is None:
        return FormError(text, "body")
    return FormError(text, "body", _position_text(position), position.line, pointer)


def _position_text(position: TextPosition) -> str:
    return f"line {position.line}, column {position.column}"


def lines_with_errors(body: str, errors: Iterable[FormError]) -> list[Line]:
    """Return the lines of a body that have errors or warnings, with their context."""
    pointers = {error.line: error.pointer for error in errors if error.line}
    offsets = range(-CONTEXT_LINES, CONTEXT_LINES + 1)
    numbers = {number + offset for number in pointers for offset in offsets}
    return [
        Line(number, shorten(text, MAX_TEXT), number in pointers, pointers.get(number, ""))
        for number, text in enumerate(body.split("\n"), start=1)
        if number in numbers
    ][:MAX_LINES]


def _fault_words(fault: Fault) -> str:
    """Return a fault as a sentence that says what to write."""
    if fault.code == "OPTION_MISSING" and fault.expected and " " not in fault.expected:
        return f"Enter {fault.expected}."
    if fault.code == Code.KIND_UNKNOWN and _is_processor(fault.found):
        return (
            f"{fault.found} is a processor: write kind llvm with mcpu {fault.found}, or a tag such "
            "as arm/soc@1."
        )
    return fault_sentence(fault)


def _refusal_words(refusal: Refused) -> str:
    """Return a refusal as text, with its suggestions."""
    return f"{refusal.detail} {suggestion_hint(refusal)}".rstrip()


def _is_processor(name: str) -> bool:
    return any(name in names for names in shipped_facts.cpus().values())
