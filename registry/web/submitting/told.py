"""What is wrong with a form, in sentences, each with where on the page to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from registry.acts.refusals import hint, sentence
from registry.domain.errors import Fault, Place, Refused
from registry.domain.guided import Start
from registry.domain.places import places
from registry.web.places import short
from registry.web.submitting import fields
from registry.web.submitting.judged import Judged, Part
from registry.web.submitting.typed import BY_JSON, Typed

SAID = {"message": "Message", "sources": "Sources", "text": "What is different"}
MOST_LINES = 60  # of a body that are shown because something is wrong in them
CONTEXT = 1  # line before and after


@dataclass(frozen=True, slots=True)
class Told:
    """One thing to know: a sentence, and the place on the page that it is about, if there is one.

    `line` is that of the JSON, 0 for what is about a field; `pointer` leads on in the editor.
    """

    text: str
    href: str = ""
    label: str = ""
    line: int = 0
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body in which something is wrong, or beside one."""

    number: int
    text: str
    is_wrong: bool
    pointer: str = ""


def problems(judged: Judged, typed: Typed, start: Start | None) -> list[Told]:
    """Everything that stands against a form, part by part."""
    return [
        told for part, refusal in judged.refusals for told in _of_part(part, refusal, typed, start)
    ]


def warnings(judged: Judged, typed: Typed, start: Start | None) -> list[Told]:
    """What a draft draws of lints."""
    return list(_of_body(judged.draft.lints, typed, start)) if judged.draft else []


def body_faults(judged: Judged) -> list[Fault]:
    """What is wrong with the body, for the fields that it is wrong in."""
    return [
        fault for part, refusal in judged.refusals if part is Part.BODY for fault in refusal.faults
    ]


def lines(typed: Typed, told: Iterable[Told]) -> list[Line]:
    """The lines of the JSON that are told of, with those around them."""
    wrong = {each.line: each.pointer for each in told if each.line}
    near = {number + by for number in wrong for by in range(-CONTEXT, CONTEXT + 1)}
    return [
        Line(number, short(text), number in wrong, wrong.get(number, ""))
        for number, text in enumerate(typed.body.split("\n"), start=1)
        if number in near
    ][:MOST_LINES]


def _of_part(part: Part, refusal: Refused, typed: Typed, start: Start | None) -> Iterator[Told]:
    if part is Part.BODY and refusal.faults:
        yield from _of_body(refusal.faults, typed, start)
    elif part is Part.BODY and typed.face == BY_JSON:
        yield _at(refusal.place, _whole(refusal))
    elif part is Part.TAG:
        yield Told(_whole(refusal), "#tag", "Tag")
    elif part is Part.SAID and refusal.faults:
        for fault in refusal.faults:
            name, _, item = fault.pointer[1:].partition("/")
            label = SAID[name] + (f", line {int(item) + 1}" if item else "")
            yield Told(sentence(fault), f"#{name}", label)
    else:
        yield Told(_whole(refusal))


def _of_body(faults: Sequence[Fault], typed: Typed, start: Start | None) -> Iterator[Told]:
    """Faults of a body at its fields, or at the lines of its JSON."""
    if typed.face == BY_JSON or start is None:
        found = places(typed.body, {fault.pointer for fault in faults})
        for fault in faults:
            text = f"{fault.pointer}: {sentence(fault)}" if fault.pointer else sentence(fault)
            yield _at(found[fault.pointer] if fault.pointer else None, text, fault.pointer)
    else:
        for error in fields.shown(start, typed.texts, faults).errors:
            yield Told(error.text, error.href, error.label)


def _at(place: Place | None, text: str, pointer: str = "") -> Told:
    if place is None:
        return Told(text, "#body", "Body")
    label = f"Line {place.line}, column {place.column}"
    return Told(text, f"#line-{place.line}", label, place.line, pointer)


def of_whole(refusal: Refused) -> Told:
    """A refusal of a form as a whole."""
    return Told(_whole(refusal))


def _whole(refusal: Refused) -> str:
    return f"{refusal.detail} {hint(refusal)}".rstrip()
