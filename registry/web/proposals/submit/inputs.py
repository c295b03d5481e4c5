"""The inputs of the guided form: Django's form fields, made from the fields of a kind's schema.

An input is called `f:` and the JSON pointer of its value. It keeps any text: `guided.body` reads
all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.utils.safestring import SafeString

from registry.domain.body_form import Start, Widget, devices
from registry.domain.body_form.fields import Field
from registry.domain.pointer import ROOT
from registry.web.core.units import label
from registry.web.proposals.submit import schemas

PREFIX = "f:"
BLANK = re.compile(r"\s")  # no HTML id may hold one
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
PLAIN: dict[str, Any] = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
NAME = {"class": "name", **PLAIN}


class Text(forms.Field):
    """A text that is kept exactly as it was typed: the services say what it may hold."""

    def __init__(self, label: str, help_text: str = "", widget: forms.Widget | None = None) -> None:
        super().__init__(required=False, label=label, help_text=help_text, widget=widget)


class BoundGuidedInput(forms.BoundField):
    """An input with its text and with what pages show beside it."""

    form: Any
    field: GuidedInput

    @property
    def auto_id(self) -> str:
        """Its name, as an id."""
        return BLANK.sub("_", self.html_name)

    @property
    def unit(self) -> str:
        """The unit of its number; a number of bytes also as `48 KiB`."""
        human = schemas.human(self.field.guided, self.value() or "")
        return f"{self.field.guided.unit} = {human}" if human else self.field.guided.unit

    @cached_property
    def hint(self) -> str:
        """The value that it stands for while it is empty."""
        return schemas.hint(self.field.guided, self.form.start.role, self.form.inherited)

    @property
    def aria_describedby(self) -> str:
        """The ids of its errors, its unit and its help."""
        help = self.help_text or self.field.description
        parts = {"error": self.errors, "unit": self.field.guided.unit, "helptext": help}
        return " ".join(f"{self.auto_id}_{part}" for part, is_there in parts.items() if is_there)

    def as_widget(
        self,
        widget: forms.Widget | None = None,
        attrs: dict[str, str | bool] | None = None,
        only_initial: bool = False,
    ) -> SafeString:
        """Render it, with its hint as a placeholder or as the label of the empty choice."""
        if isinstance(self.field.widget, forms.Select):
            text = self.value() or ""
            self.field.widget.choices = schemas.choices(self.field.guided, text, self.hint)
        elif self.hint:
            attrs = {**(attrs or {}), "placeholder": self.hint}
        return super().as_widget(widget, attrs, only_initial)


class GuidedInput(Text):
    """The input for one field of a schema."""

    bound_field_class = BoundGuidedInput

    def __init__(self, guided: Field, lines: int = 0) -> None:
        help_text = guided.help if guided.pointer != ROOT else ""
        super().__init__(guided.label, help_text, _widget(guided, lines))
        self.guided = guided
        self.description = schemas.description(guided)
        self.is_wide = lines > 1


class BoundDeviceLabel(forms.BoundField):
    """The label of a device: the errors of a device stand at its target."""

    field: DeviceLabel

    def build_widget_attrs(
        self, attrs: dict[str, str | bool], widget: forms.Widget | None = None
    ) -> dict[str, str | bool]:
        """Mark it as wrong together with its target."""
        target = self.form[self.field.target]
        if target.errors:
            attrs = {
                **attrs,
                "aria-invalid": "true",
                "aria-describedby": str(target.aria_describedby),
            }
        return super().build_widget_attrs(attrs, widget)


class DeviceLabel(Text):
    """The input for the label of a device; `target` is the name of the input beside it."""

    bound_field_class = BoundDeviceLabel

    def __init__(self, label: str, target: str) -> None:
        super().__init__(label, widget=forms.TextInput(NAME))
        self.target = target


@dataclass(frozen=True, slots=True)
class InputGroup:
    """Inputs that stand together, or rows of devices: each a label and a target."""

    name: str
    title: str
    help: str
    is_folded: bool
    inputs: tuple[forms.BoundField, ...]
    rows: tuple[tuple[forms.BoundField, forms.BoundField], ...]

    @property
    def summary(self) -> str:
        """How many options it has, and some of their names."""
        return schemas.summary([str(field.label) for field in self.inputs])

    @property
    def stated(self) -> int:
        """How many of its inputs hold something."""
        return sum(bool(field.value()) for field in self.inputs)

    @property
    def is_open(self) -> bool:
        """Whether a folded group is shown open: something is typed in it, or wrong."""
        return bool(self.stated) or any(field.errors for field in self.inputs)


def texts(data: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed into the inputs, by JSON pointer."""
    return {name.removeprefix(PREFIX): data[name] for name in data if name.startswith(PREFIX)}


def inputs(start: Start, typed: Mapping[str, str]) -> dict[str, forms.Field]:
    """Return the inputs for a start, with room for what is typed, by their names."""
    found: dict[str, forms.Field] = {}
    for field in start.fields.values():
        if field.widget is Widget.DEVICES:
            for number in range(_row_count(typed)):
                found |= _device(number, typed)
        else:
            lines = _lines(field.widget, typed.get(field.pointer, ""))
            found[PREFIX + field.pointer] = GuidedInput(field, lines)
    return found


def groups(form: forms.Form, start: Start) -> Iterator[InputGroup]:
    """Yield the groups of a form's inputs, in the order in which pages show them."""
    for group in start.groups:
        has_rows = any(field.widget is Widget.DEVICES for field in group.fields)
        inputs = () if has_rows else tuple(form[PREFIX + f.pointer] for f in group.fields)
        rows = tuple(_rows(form)) if has_rows else ()
        title = label(group.title)
        yield InputGroup(group.name, title, group.help, group.is_folded, inputs, rows)


def _rows(form: forms.Form) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
    for name, field in form.fields.items():
        if isinstance(field, DeviceLabel):
            yield form[name], form[field.target]


def _row_count(typed: Mapping[str, str]) -> int:
    """Return the number of rows: those that are typed, and some to type more into."""
    last = max((row.number for row in devices.filled_rows(typed)), default=-1)
    return min(max(FEWEST_ROWS, last + 1 + SPARE_ROWS), devices.MAX_ROWS)


def _device(number: int, typed: Mapping[str, str]) -> dict[str, forms.Field]:
    """Return the two inputs of a device, by their names."""
    pointer = devices.Row(number, "", "").pointer
    text = typed.get(pointer, "")
    lines = _lines(Widget.JSON, text) if "\n" in text.strip() else 0
    target = Field(pointer, f"Target of device {number + 1}", Widget.NODE, is_required=False)
    return {
        PREFIX + devices.label_pointer(pointer): DeviceLabel(
            f"Label of device {number + 1}", PREFIX + pointer
        ),
        PREFIX + pointer: GuidedInput(target, lines),
    }


def _widget(guided: Field, lines: int) -> forms.Widget:
    if guided.widget in SELECTS:
        return forms.Select()
    attrs = NAME | ({"aria-required": "true"} if guided.is_required else {})
    if lines:
        return forms.Textarea({**attrs, "rows": lines, "cols": False})
    if guided.widget is Widget.INTEGER:  # as text: browsers drop what is not a number
        attrs = attrs | {"inputmode": "numeric"}
    return forms.TextInput(attrs)


def _lines(widget: Widget, text: str) -> int:
    """Return how many lines a text is given; 0 for a widget of one line."""
    if widget not in AREAS:
        return 0
    needed = sum(1 + len(line) // LINE for line in text.splitlines())
    return min(max(AREAS[widget], needed), MOST_LINES)
