"""Django form fields for the fields of a kind's schema.

The name of an input is `f:` and the JSON pointer of its value. Inputs accept any text: they are
parsed together by `registry.domain.body_form`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.urls import reverse_lazy
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from registry.domain.body_form import Start, Widget, devices
from registry.domain.body_form.fields import Field
from registry.domain.pointer import ROOT
from registry.domain.quantities import EXAMPLES
from registry.web.core.units import label
from registry.web.proposals.submit import field_texts

PREFIX = "f:"
BLANK = re.compile(r"\s")  # not allowed in an HTML id
MIN_ROWS, SPARE_ROWS = 3, 2  # of devices
SELECTS = frozenset({Widget.SWITCH, Widget.CHOICE, Widget.COMPONENT})
MIN_LINES = {  # of the widgets that are text areas
    Widget.LIST: 1,
    Widget.LINES: 2,
    Widget.NAMED_LINES: 2,
    Widget.PARENTS: 2,  # if there are several
    Widget.JSON: 3,
}
SEPARATORS_OF_TAGS = {Widget.NODE: "", Widget.PARENTS: " "}  # of the widgets that suggest tags
MAX_LINES = 20
LINE_LENGTH = 44  # characters
PLAIN: dict[str, Any] = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
NAME = {"class": "name", **PLAIN}


def suggest_tags(separator: str = "") -> dict[str, Any]:
    """Return the attributes of an input that suggests tags; it may have several."""
    query = {"separator": separator} if separator else {}
    return {"data-suggest": reverse_lazy("suggestions", query=query)}


class Text(forms.Field):
    """A text that is neither stripped nor validated; the services validate it."""

    def __init__(self, label: str, help_text: str = "", widget: forms.Widget | None = None) -> None:
        super().__init__(required=False, label=label, help_text=help_text, widget=widget)


class BoundGuidedInput(forms.BoundField):
    """An input with its unit, hint and descriptions."""

    form: Any
    field: GuidedInput

    @property
    def auto_id(self) -> str:
        """Return the name as an HTML id."""
        return BLANK.sub("_", self.html_name)

    @property
    def unit(self) -> str:
        """Return the unit of the number, with the number in another form."""
        return field_texts.unit_text(self.field.guided, self.value() or "")

    @cached_property
    def hint(self) -> str:
        """Return the value that an empty input stands for."""
        return field_texts.hint(self.field.guided, self.form.start.role, self.form.inherited)

    @property
    def aria_describedby(self) -> str:
        """Return the ids of the errors, the unit and the help text that are rendered."""
        help = self.help_text or self.field.description
        parts = {"error": self.errors, "unit": self.field.guided.unit, "helptext": help}
        return " ".join(f"{self.auto_id}_{part}" for part, value in parts.items() if value)

    def as_widget(
        self,
        widget: forms.Widget | None = None,
        attrs: dict[str, str | bool] | None = None,
        only_initial: bool = False,
    ) -> SafeString:
        """Render the widget with the hint as a placeholder or in the empty choice."""
        if isinstance(self.field.widget, forms.Select):
            text = self.value() or ""
            self.field.widget.choices = field_texts.choices(self.field.guided, text, self.hint)
        elif self.hint:
            attrs = {**(attrs or {}), "placeholder": self.hint}
        return super().as_widget(widget, attrs, only_initial)


class GuidedInput(Text):
    """The form field for one field of a schema."""

    bound_field_class = BoundGuidedInput

    def __init__(self, guided: Field, lines: int = 0) -> None:
        help_text = guided.help if guided.pointer != ROOT else ""
        super().__init__(guided.label, help_text, _widget(guided, lines))
        self.guided = guided
        self.description = field_texts.description(guided)
        self.is_wide = lines > 1


class BoundDeviceLabel(forms.BoundField):
    """The label of a device. Errors of the device are shown at its target."""

    field: DeviceLabel

    def build_widget_attrs(
        self, attrs: dict[str, str | bool], widget: forms.Widget | None = None
    ) -> dict[str, str | bool]:
        """Mark the label as invalid if the target has errors."""
        target = self.form[self.field.target]
        if target.errors:
            attrs = {
                **attrs,
                "aria-invalid": "true",
                "aria-describedby": str(target.aria_describedby),
            }
        return super().build_widget_attrs(attrs, widget)


class DeviceLabel(Text):
    """The form field for a device's label; `target` is the name of the field of its target."""

    bound_field_class = BoundDeviceLabel

    def __init__(self, label: str, target: str) -> None:
        super().__init__(label, widget=forms.TextInput(NAME))
        self.target = target


@dataclass(frozen=True, slots=True)
class InputGroup:
    """A fieldset of inputs, or of device rows, each with a label and a target."""

    name: str
    title: str
    help: str
    is_folded: bool
    inputs: tuple[forms.BoundField, ...]
    rows: tuple[tuple[forms.BoundField, forms.BoundField], ...]
    is_requested: bool = False  # by the URL

    @property
    def summary(self) -> str:
        """Return the number of options and some of their names."""
        return field_texts.summary([str(field.label) for field in self.inputs])

    @property
    def filled_count(self) -> int:
        """Return the number of inputs that are filled in."""
        return sum(bool(field.value()) for field in self.inputs)

    @property
    def is_open(self) -> bool:
        """Return whether a folded group starts open: requested, filled in, or with an error."""
        is_used = bool(self.filled_count) or any(field.errors for field in self.inputs)
        return self.is_requested or is_used


def texts(data: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the inputs by JSON pointer."""
    return {name.removeprefix(PREFIX): data[name] for name in data if name.startswith(PREFIX)}


def inputs(start: Start, texts: Mapping[str, str]) -> dict[str, forms.Field]:
    """Return the form fields by name, each large enough for its text."""
    fields: dict[str, forms.Field] = {}
    for field in start.fields.values():
        if field.widget is Widget.DEVICES:
            for number in range(_row_count(texts)):
                fields |= _device(number, texts)
        else:
            lines = _lines(field.widget, texts.get(field.pointer, ""))
            fields[PREFIX + field.pointer] = GuidedInput(field, lines)
    return fields


def groups(form: forms.Form, start: Start, requested: str = "") -> Iterator[InputGroup]:
    """Yield the groups of a form's inputs in display order; the requested one is open."""
    for group in start.groups:
        has_rows = any(field.widget is Widget.DEVICES for field in group.fields)
        inputs = () if has_rows else tuple(form[PREFIX + f.pointer] for f in group.fields)
        rows = tuple(_rows(form)) if has_rows else ()
        title = label(group.title)
        yield InputGroup(
            group.name,
            title,
            group.help,
            group.is_folded,
            inputs,
            rows,
            is_requested=group.name == requested,
        )


def _rows(form: forms.Form) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
    for name, field in form.fields.items():
        if isinstance(field, DeviceLabel):
            yield form[name], form[field.target]


def _row_count(texts: Mapping[str, str]) -> int:
    """Return the number of rows: the filled ones and some empty ones."""
    last = max((row.number for row in devices.filled_rows(texts)), default=-1)
    return min(max(MIN_ROWS, last + 1 + SPARE_ROWS), devices.MAX_ROWS)


def _device(number: int, texts: Mapping[str, str]) -> dict[str, forms.Field]:
    """Return the two form fields of a device by name."""
    pointer = devices.Row(number, "", "").pointer
    text = texts.get(pointer, "")
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
    # A text input: type=number would drop invalid input. A unit needs letters.
    if guided.widget is Widget.INTEGER and guided.unit not in EXAMPLES:
        attrs = attrs | {"inputmode": "numeric"}
    if guided.widget in SEPARATORS_OF_TAGS:
        attrs = attrs | suggest_tags(SEPARATORS_OF_TAGS[guided.widget])
    return forms.TextInput(attrs)


def _lines(widget: Widget, text: str) -> int:
    """Return the height of a text area; 0 for a widget of one line."""
    if widget not in MIN_LINES or (widget is Widget.PARENTS and "\n" not in text.strip()):
        return 0
    needed = sum(1 + len(line) // LINE_LENGTH for line in text.splitlines())
    return min(max(MIN_LINES[widget], needed), MAX_LINES)
