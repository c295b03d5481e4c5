"""The answer about a pasted text, as shown: machines, facts with their places, tags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.urls import reverse

from registry.domain.descriptions.machines import machine_name
from registry.domain.document import Json
from registry.domain.identify.readings import Fact, Ignored, Reading, Recognised
from registry.domain.identify.relation import Difference
from registry.services.identify.identifying import Identification, Identified, RelatedTag
from ttag_rules.echo import shorten
from ttag_rules.pointer import look_up

MAX_TAGS = 5  # that are compared side by side
MAX_ADDRESS = 4000  # characters; longer addresses are refused on their way
MAX_QUOTE = 80  # characters of a line
MAX_VALUE = 200
RELATIONS = {
    "same": "agrees with the text in every value",
    "contains": "contains it as a part",
    "near": "differs",
}
STATED = {
    "text": "stated",
    "inferred": "follows from",
    "ambiguous": "could also be read otherwise",
}


@dataclass(frozen=True, slots=True)
class FactRow:
    """A value that was read, and the line of the text that says it."""

    pointer: str
    value: str
    stated: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag of a machine, with what differs, and the address of a form with these values."""

    name: str
    reference: str
    relation: str
    node: str
    differences: tuple[tuple[str, str, str], ...]
    proposal: str

    @classmethod
    def of(cls, tag: RelatedTag) -> Self:
        """Return the row of a tag."""
        rows = tuple(_difference(difference) for difference in tag.related.differences)
        proposal = _form({"tag": tag.tag, "start_from": "text"}, tag.body) if tag.body else ""
        relation = RELATIONS[tag.related.relation]
        return cls(tag.tag, tag.reference, relation, tag.related.node, rows, proposal)


@dataclass(frozen=True, slots=True)
class MachineView:
    """A machine that the text describes, with ways to go on from it."""

    heading: str
    facts: tuple[FactRow, ...]
    tags: tuple[TagRow, ...]
    notes: tuple[str, ...]
    comparison: str
    submission: str
    search: str

    @classmethod
    def of(cls, text: str, identified: Identified) -> Self:
        """Return what the page shows of a reading."""
        reading, tags = identified.reading, identified.tags[:MAX_TAGS]
        names = [("tag", tag.tag) for tag in tags]
        return cls(
            _heading(reading),
            tuple(_fact(text, fact, reading.body) for fact in reading.facts),
            tuple(map(TagRow.of, tags)),
            reading.notes,
            reverse("compare", query=names) if len(names) > 1 else "",
            "" if _is_described(identified) else _form({}, reading.body),
            identified.search,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The machines of a text, the forms that were recognised, and the parts ignored."""

    machines: tuple[MachineView, ...]
    recognised: tuple[str, ...]
    ignored: tuple[Ignored, ...]

    @classmethod
    def of(cls, text: str, identification: Identification) -> Self:
        """Return the answer about a text."""
        return cls(
            tuple(MachineView.of(text, identified) for identified in identification.readings),
            tuple(_place(text, form) for form in identification.recognised),
            identification.ignored,
        )


def _is_described(identified: Identified) -> bool:
    """Return whether a tag of the machine itself has all that was read, or nothing was."""
    has_tag = any(tag.related.relation == "same" for tag in identified.tags)
    return not identified.reading.body or (has_tag and bool(identified.reading.names))


def _heading(reading: Reading) -> str:
    """Return the name of the machine, else its kind and processor."""
    facts = reading.body.get("hardware", {})
    words = [reading.body.get(name, "") for name in ("kind", "arch", "mcpu")]
    if isinstance(facts, dict) and facts.get("model"):
        return machine_name(facts)
    return " ".join(filter(None, map(str, words))) or "A list of tags"


def _fact(text: str, fact: Fact, body: Mapping[str, Any]) -> FactRow:
    return FactRow(
        fact.pointer[1:],
        _text(look_up(body, fact.pointer)),
        STATED[fact.stated],
        text.count("\n", 0, fact.start) + 1,
        shorten(" ".join(text[fact.start : fact.end].split()), MAX_QUOTE),
    )


def _difference(difference: Difference) -> tuple[str, str, str]:
    return difference.pointer[1:], _text(difference.tag), _text(difference.text)


def _text(value: Json) -> str:
    if value is None:
        return "not stated"
    if isinstance(value, list):
        return shorten(", ".join(map(str, value)), MAX_VALUE)
    return shorten(str(value if isinstance(value, str | int) else json.dumps(value)), MAX_VALUE)


def _form(fields: Mapping[str, str], body: Mapping[str, Any]) -> str:
    """Return the address of the form that starts with a body; empty if it would be too long."""
    source = json.dumps(body, indent=2, ensure_ascii=False)
    address = reverse("submit", query={**fields, "format": "body", "source": source})
    return address if len(address) <= MAX_ADDRESS else ""


def _place(text: str, form: Recognised) -> str:
    """Return a form with its line."""
    return f"{form.form}, line {text.count(chr(10), 0, form.start) + 1}"
