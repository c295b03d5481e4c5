"""The inputs for the fields of a kind's schema, in groups; devices are rows of inputs.

The name of an input is `f:` and the JSON pointer of its value. Inputs accept any text: they are
parsed together by `registry.domain.body_form`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from registry.domain.body_form import BodyRole, Start, Widget, device_rows
from registry.domain.body_form.device_rows import Row
from registry.domain.body_form.fields import Field, Group
from registry.domain.document import Json
from registry.domain.kinds.expected_facts import EXPECTED_FACTS
from registry.domain.kinds.hardware import SOURCES, hardware_of
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.quantities import EXAMPLES
from registry.services.proposals import form_starts
from registry.web.core.units import label
from registry.web.proposals.submit import field_texts
from registry.web.proposals.submit.form_data import PREFIX
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.inputs import Input, errors_by_name, suggest_tags
from ttag_rules.pointer import ROOT

MIN_ROWS, SPARE_ROWS = 3, 2  # of devices
SELECTS = frozenset({Widget.SWITCH, Widget.CHOICE, Widget.COMPONENT})
MIN_LINES = {  # of the widgets that are text areas
    Widget.LIST: 1,
    Widget.LINES: 2,
    Widget.INTEGERS: 2,
    Widget.NAMED_LINES: 2,
    Widget.PARENTS: 2,  # if there are several
    Widget.JSON: 3,
}
SUGGESTIONS = {  # the query of the widgets that suggest tags
    Widget.NODE: {"kinds": "1"},
    Widget.PARENTS: {"separator": " "},
}
MAX_LINES = 20
LINE_LENGTH = 44  # characters
FACTS = f"/{HARDWARE}/"


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device: its label, its target, the inputs of its options, and its own devices."""

    number: int
    label: Input
    target: Input
    inputs: Sequence[Input]
    rows: Sequence[DeviceRow]

    @property
    def legend(self) -> str:
        """Return the name of the group of options."""
        return f"Options of {self.label.text or f'device {self.number + 1}'}, {self.target.text}"


@dataclass(frozen=True, slots=True)
class InputGroup:
    """A fieldset of inputs, or of rows of devices; what is rarely used is folded."""

    name: str
    title: str
    help: str
    inputs: Sequence[Input]
    folded: Sequence[Input]
    rows: Sequence[DeviceRow]
    is_requested: bool = False  # by the URL

    @property
    def summary(self) -> str:
        """Return the number of folded inputs and some of their names."""
        return field_texts.summary([input.label for input in self.folded], more=bool(self.inputs))

    @property
    def filled_count(self) -> int:
        """Return the number of folded inputs that are filled in."""
        return sum(bool(input.text) for input in self.folded)

    @property
    def is_open(self) -> bool:
        """Return whether the fold starts open: requested, filled in, or with an error."""
        return (
            self.is_requested
            or bool(self.filled_count)
            or any(input.errors for input in self.folded)
        )

    @property
    def all_inputs(self) -> Iterator[Input]:
        """Yield every input of the group."""
        yield from (*self.inputs, *self.folded)
        rows = [*self.rows]
        while rows:
            row = rows.pop()
            yield from (row.label, row.target, *row.inputs)
            rows += row.rows


class GuidedInputs:
    """Makes the inputs of a form with guided fields, with their texts, errors and hints."""

    def __init__(self, state: FormState, start: Start) -> None:
        self.state = state
        self.start = start
        self.texts = state.texts
        self.errors = errors_by_name(state.problems)

    def groups(self) -> list[InputGroup]:
        """Return the groups in display order; the requested one is open."""
        return [self._group(group) for group in self.start.groups]

    @cached_property
    def inherited(self) -> Json:
        """Return the target of the first parent, None if unknown. At most two queries."""
        is_heir = self.start.role is BodyRole.HEIR
        parents = self.texts.get("/tag", "").split() if is_heir else ()
        return (form_starts.target_of(parents[0]) or None) if parents else None

    @property
    def _expected_facts(self) -> Sequence[str]:
        """Return the facts by which people choose among machines of the category."""
        category = self.texts.get(f"{FACTS}category") or hardware_of(self.inherited).get("category")
        return EXPECTED_FACTS.get(str(category), ())

    def _group(self, group: Group) -> InputGroup:
        has_rows = any(field.widget is Widget.DEVICES for field in group.fields)
        expected = self._expected_facts if group.name == HARDWARE else ()
        visible = (*group.fields, *(field for field in group.folded if field.label in expected))
        return InputGroup(
            group.name,
            label(group.title),
            group.help,
            () if has_rows else [self._input(field) for field in visible],
            [self._input(field) for field in group.folded if field not in visible],
            [*self._rows(self.start, self.texts)] if has_rows else (),
            is_requested=group.name == self.state.requested_group,
        )

    def _input(self, field: Field) -> Input:
        text = self.texts.get(field.pointer, "")
        hint = field_texts.hint(field, self.start.role, self.inherited)
        lines = line_count(field.widget, text)
        is_fact = field.pointer == f"{FACTS}{field.label}"
        return replace(
            self._bare(field, text, lines, hint),
            label=_fact_label(field.label) if is_fact else field.label,
            is_fact=is_fact,
            help=field.help if field.pointer != ROOT else "",
            description=field_texts.description(field),
            is_wide=lines > 1,
        )

    def _bare(self, field: Field, text: str, lines: int, hint: str) -> Input:
        """Return the input of a field without descriptions."""
        name = PREFIX + field.pointer
        is_select = field.widget in SELECTS
        return Input(
            name,
            field.label,
            text,
            lines=0 if is_select else lines,
            choices=field_texts.choices(field, text, hint) if is_select else (),
            unit=field_texts.unit_text(field, text),
            hint=hint,
            is_required=field.is_required,
            attrs=_attributes(field, lines),
            errors=self.errors.get(name, ()),
        )

    def _rows(
        self, start: Start, texts: Mapping[str, str], prefix: str = ""
    ) -> Iterator[DeviceRow]:
        """Yield the rows of devices; `prefix` is the pointer of the owner."""
        for number, row in _numbered_rows(texts, is_nested=bool(prefix)):
            pointer = prefix + device_rows.row_pointer(number)
            target = self._target(pointer, number, row)
            device_start = start.device_start(row.target) if row else None
            inputs: list[Input] = []
            inner: list[DeviceRow] = []
            for field in _options(device_start, row):
                if field.widget is Widget.DEVICES and device_start and row:
                    inner += self._rows(device_start, row.options, pointer)
                else:
                    inputs.append(self._option(field, pointer, row))
            yield DeviceRow(number, _label_of(target, number, row), target, inputs, inner)

    def _target(self, pointer: str, number: int, row: Row | None) -> Input:
        text = device_rows.counted_target(row.target, row.count) if row else ""
        lines = line_count(Widget.JSON, text) if "\n" in text else 0
        field = Field(pointer, f"Target of device {number + 1}", Widget.NODE)
        return self._bare(field, text, lines, "")

    def _option(self, field: Field, pointer: str, row: Row | None) -> Input:
        text = row.options.get(field.pointer, "") if row else ""
        label = field.label
        if field.pointer == ROOT:
            label = "Overrides, as JSON" if row and "/" in row.target else "Anything else, as JSON"
        pointer = device_rows.option_pointer(pointer, field.pointer)
        lines = min(line_count(field.widget, text), max(1, text.count("\n") + 1))
        hint = field_texts.hint(field, BodyRole.KIND, None)
        input = self._bare(replace(field, pointer=pointer, label=label), text, lines, hint)
        return replace(input, is_wide=lines > 1 or field.widget is Widget.JSON)


def _fact_label(name: str) -> str:
    """Return the words for a fact; those for its sources differ from the sources of the version."""
    return "Sources by group" if name == SOURCES else label(name)


def line_count(widget: Widget, text: str) -> int:
    """Return the height of a text area; 0 for a widget of one line."""
    if widget not in MIN_LINES or (widget is Widget.PARENTS and "\n" not in text.strip()):
        return 0
    needed = sum(1 + len(line) // LINE_LENGTH for line in text.splitlines())
    return min(max(MIN_LINES[widget], needed), MAX_LINES)


def _attributes(field: Field, lines: int) -> dict[str, str]:
    """Return the attributes of a text input. With type=number it would drop invalid input."""
    if lines or field.widget in SELECTS:
        return {}
    if field.widget is Widget.INTEGER and field.unit not in EXAMPLES:  # a unit needs letters
        return {"inputmode": "numeric"}
    return suggest_tags(**SUGGESTIONS[field.widget]) if field.widget in SUGGESTIONS else {}


def _numbered_rows(
    texts: Mapping[str, str], *, is_nested: bool
) -> Iterator[tuple[int, Row | None]]:
    """Yield the numbers of the rows: the filled ones with their texts, and some empty ones."""
    filled = {row.number: row for row in device_rows.filled_rows(texts)}
    least, spare = (1, 1) if is_nested else (MIN_ROWS, SPARE_ROWS)
    count = min(max(least, max(filled, default=-1) + 1 + spare), device_rows.MAX_ROWS)
    yield from ((number, filled.get(number)) for number in range(count))


def _options(device_start: Start | None, row: Row | None) -> Iterator[Field]:
    """Yield the fields of a device besides its label and target."""
    fields = device_start.fields.values() if device_start else ()
    yield from (field for field in fields if field.pointer != device_rows.PARENT)
    if not device_start and row and ROOT in row.options:
        yield Field(ROOT, "JSON", Widget.JSON)


def _label_of(target: Input, number: int, row: Row | None) -> Input:
    """Return the input of a device's label. Errors of the device are shown at its target."""
    return Input(
        device_rows.label_pointer(target.name),
        f"Label of device {number + 1}",
        row.label if row else "",
        attrs={"aria-invalid": "true", "aria-describedby": f"{target.id}_error"}
        if target.errors
        else {},
    )
