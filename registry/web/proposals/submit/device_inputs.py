"""Django form fields for the devices of a composite: a row each, with the options of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django import forms

from registry.domain.body_form import Start, Widget, device_rows
from registry.domain.body_form.device_rows import Row
from registry.domain.body_form.fields import Field
from registry.domain.pointer import ROOT
from registry.web.proposals.submit.guided_inputs import NAME, GuidedInput, Text, line_count

PREFIX = "f:"  # of the names of all guided inputs
MIN_ROWS, SPARE_ROWS = 3, 2  # of devices


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
class DeviceRow:
    """A device: its label, its target, the inputs of its options, and its own devices."""

    number: int
    label: forms.BoundField
    target: forms.BoundField
    inputs: tuple[forms.BoundField, ...]
    rows: tuple[DeviceRow, ...]

    @property
    def legend(self) -> str:
        """Return the name of the group of options."""
        name = self.label.value() or f"device {self.number + 1}"
        return f"Options of {name}, {self.target.value()}"

    @property
    def is_invalid(self) -> bool:
        """Return whether the target has errors; options show their own."""
        return bool(self.target.errors)


def fields_of_devices(
    start: Start, texts: Mapping[str, str], prefix: str = ""
) -> Iterator[tuple[str, forms.Field]]:
    """Yield the form fields of all rows with their names; `prefix` is the pointer of the owner."""
    for number, row in _rows(texts, is_nested=bool(prefix)):
        pointer = prefix + device_rows.row_pointer(number)
        target = f"{PREFIX}{pointer}"
        yield (
            device_rows.label_pointer(target),
            DeviceLabel(f"Label of device {number + 1}", target),
        )
        yield target, _target(pointer, number, row.target if row else "")
        device_start = start.device_start(row.target) if row else None
        for field in _options(device_start, row):
            if field.widget is Widget.DEVICES and device_start and row:
                yield from fields_of_devices(device_start, row.options, pointer)
            else:
                yield _option(field, pointer, row)


def rows_of_devices(
    form: forms.Form, start: Start, texts: Mapping[str, str], prefix: str = ""
) -> Iterator[DeviceRow]:
    """Yield the rows of a form that has these fields."""
    for number, row in _rows(texts, is_nested=bool(prefix)):
        pointer = prefix + device_rows.row_pointer(number)
        name = f"{PREFIX}{pointer}"
        device_start = start.device_start(row.target) if row else None
        inputs: list[forms.BoundField] = []
        inner: list[DeviceRow] = []
        for field in _options(device_start, row):
            if field.widget is Widget.DEVICES and device_start and row:
                inner += rows_of_devices(form, device_start, row.options, pointer)
            else:
                inputs.append(form[PREFIX + device_rows.option_pointer(pointer, field.pointer)])
        label = form[device_rows.label_pointer(name)]
        yield DeviceRow(number, label, form[name], tuple(inputs), tuple(inner))


def _rows(texts: Mapping[str, str], *, is_nested: bool) -> Iterator[tuple[int, Row | None]]:
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


def _target(pointer: str, number: int, text: str) -> GuidedInput:
    lines = line_count(Widget.JSON, text) if "\n" in text.strip() else 0
    field = Field(pointer, f"Target of device {number + 1}", Widget.NODE)
    return GuidedInput(field, lines)


def _option(field: Field, pointer: str, row: Row | None) -> tuple[str, GuidedInput]:
    text = row.options.get(field.pointer, "") if row else ""
    label = field.label
    if field.pointer == ROOT:
        label = "Overrides, as JSON" if row and "/" in row.target else "Anything else, as JSON"
    placed = replace(field, pointer=device_rows.option_pointer(pointer, field.pointer), label=label)
    lines = min(line_count(field.widget, text), max(1, text.count("\n") + 1))
    return PREFIX + placed.pointer, GuidedInput(placed, lines, is_compact=True)
