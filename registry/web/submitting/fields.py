"""The guided form as a page shows it: names, texts, words about each field, what is wrong where.

A page takes the texts with `texts(request.POST)`, makes a body of them with `guided.body`, and
shows `shown(start, texts, faults)` by including `registry/submitting/fields/form.html`, which
needs it as `guided`, inside its own `form`. It links `registry/css/submitting.css`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

from registry.acts.refusals import sentence
from registry.domain import guided
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.guided import Start, Widget, devices
from registry.domain.guided.fields import Field, Group as Fields
from registry.domain.pointer import ROOT
from registry.web.submitting import words
from registry.web.units import label

PREFIX = "f:"
BLANK = re.compile(r"\s")
FEWEST_ROWS, SPARE_ROWS = 3, 2
SELECTS = frozenset({Widget.SWITCH, Widget.CHOICE, Widget.COMPONENT})
AREAS = {  # in lines: the fewest that a text of several is given
    Widget.LIST: 1,
    Widget.LINES: 2,
    Widget.PARENTS: 2,
    Widget.JSON: 3,
}
MOST_LINES = 20
LINE = 44  # characters


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to fill in: a line where `lines` is 0, one of `choices` where there are any.

    `said` is what it takes and who reads it; `human` the number typed, as people say it.
    """

    name: str
    label: str
    text: str
    help: str = ""
    said: str = ""
    unit: str = ""
    human: str = ""
    hint: str = ""
    choices: tuple[words.Choice, ...] = ()
    lines: int = 0
    is_number: bool = False
    is_required: bool = False
    errors: tuple[str, ...] = ()
    described_by: str = ""

    @property
    def id(self) -> str:
        """Its place on the page."""
        return BLANK.sub("_", self.name)


@dataclass(frozen=True, slots=True)
class Row:
    """One device: its label and what it is."""

    number: int
    label: Entry
    target: Entry
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Entries that stand together, or rows; `held` says how many hold something."""

    name: str
    title: str
    help: str
    entries: tuple[Entry, ...]
    rows: tuple[Row, ...]
    is_folded: bool
    is_open: bool
    summary: str
    held: int


@dataclass(frozen=True, slots=True)
class Error:
    """One thing that is wrong: a sentence, and the entry it is of; empty: of the whole."""

    href: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """Everything that a template needs."""

    groups: tuple[Group, ...]
    errors: tuple[Error, ...]


def texts(post: Mapping[str, str]) -> dict[str, str]:
    """What was typed, by pointer, of a request's parameters."""
    return {name.removeprefix(PREFIX): post[name] for name in post if name.startswith(PREFIX)}


def shown(
    start: Start,
    typed: Mapping[str, str],
    faults: Iterable[Fault] = (),
    inherited: Json = None,
) -> Form:
    """The form with what is typed and what is wrong with it, each fault at its field.

    `inherited` is the target of the parents, where one is at hand: empty fields then say it.
    """
    found: dict[str, list[Fault]] = defaultdict(list)
    errors = []
    for fault in faults:
        place = guided.place(fault, start, typed)
        if place is not None:
            found[place].append(fault)
        errors.append(_error(fault, place, start))
    form = _Filling(start, typed, found, inherited)
    return Form(tuple(form.group(group) for group in start.groups), tuple(errors))


def _error(fault: Fault, place: str | None, start: Start) -> Error:
    if place is None:
        return Error("", "", sentence(fault))
    named = start.fields[place].label if place in start.fields else place
    return Error(f"#{quote(BLANK.sub('_', PREFIX + place), safe='/:')}", named, sentence(fault))


@dataclass(frozen=True, slots=True)
class _Filling:
    """A form being filled in with what is typed, what is wrong and what is inherited."""

    start: Start
    typed: Mapping[str, str]
    faults: Mapping[str, Collection[Fault]]
    inherited: Json

    def group(self, group: Fields) -> Group:
        has_rows = any(field.widget is Widget.DEVICES for field in group.fields)
        entries = () if has_rows else tuple(map(self.entry, group.fields))
        rows = self.rows() if has_rows else ()
        held = sum(bool(entry.text) for entry in entries)
        return Group(
            name=group.name,
            title=label(group.title),
            help=group.help,
            entries=entries,
            rows=rows,
            is_folded=group.is_folded,
            is_open=bool(held) or any(entry.errors for entry in entries),
            summary=words.summary([field.label for field in group.fields]),
            held=held,
        )

    def entry(self, field: Field) -> Entry:
        """One field of a group."""
        text = self.typed.get(field.pointer, "")
        hint = words.hint(field, self.start.role, self.inherited)
        is_select = field.widget in SELECTS
        return self._entry(
            field.pointer,
            Entry(
                name=PREFIX + field.pointer,
                label=field.label,
                text=text,
                help=field.help if field.pointer != ROOT else "",
                said=words.said(field),
                unit=field.unit,
                human=words.human(field, text),
                hint=hint,
                choices=words.choices(field, text, hint) if is_select else (),
                lines=_lines(field.widget, text),
                is_number=field.widget is Widget.INTEGER,
                is_required=field.is_required,
            ),
        )

    def rows(self) -> tuple[Row, ...]:
        """The devices typed, and some rows to type more into."""
        last = max((row.number for row in devices.rows(self.typed)), default=-1)
        count = min(max(FEWEST_ROWS, last + 1 + SPARE_ROWS), devices.MOST_ROWS)
        return tuple(self.row(number) for number in range(count))

    def row(self, number: int) -> Row:
        """The device of a number."""
        pointer = devices.Row(number, "", "").pointer
        named = devices.label_of(pointer)
        text = self.typed.get(pointer, "")
        lines = _lines(Widget.JSON, text) if "\n" in text.strip() else 0
        target = self._entry(
            pointer, Entry(PREFIX + pointer, f"Target of device {number + 1}", text, lines=lines)
        )
        return Row(
            number,
            label=Entry(
                PREFIX + named,
                f"Label of device {number + 1}",
                self.typed.get(named, ""),
                errors=target.errors,
                described_by=target.described_by,
            ),
            target=target,
            errors=target.errors,
        )

    def _entry(self, pointer: str, entry: Entry) -> Entry:
        """An entry with what is wrong with it, and the ids of the words about it."""
        errors = tuple(sentence(fault) for fault in self.faults.get(pointer, ()))
        about = {"error": errors, "unit": entry.unit, "help": entry.help or entry.said}
        described = " ".join(f"{entry.id}-{part}" for part, words in about.items() if words)
        return replace(entry, errors=errors, described_by=described)


def _lines(widget: Widget, text: str) -> int:
    """How many lines a text is given; 0 for what has one."""
    if widget not in AREAS:
        return 0
    needed = sum(1 + len(line) // LINE for line in text.splitlines())
    return min(max(AREAS[widget], needed), MOST_LINES)
