"""Django form fields for the fields of a kind's schema.

The name of an input is `f:` and the JSON pointer of its value. Inputs accept any text: they are
parsed together by `registry.domain.body_form`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django import forms

from registry.domain.body_form import Start, Widget
from registry.web.core.units import label
from registry.web.proposals.submit import device_inputs, field_texts
from registry.web.proposals.submit.device_inputs import PREFIX, DeviceRow
from registry.web.proposals.submit.guided_inputs import GuidedInput, line_count


@dataclass(frozen=True, slots=True)
class InputGroup:
    """A fieldset of inputs, or of device rows, each with a label and a target."""

    name: str
    title: str
    help: str
    is_folded: bool
    inputs: tuple[forms.BoundField, ...]
    rows: tuple[DeviceRow, ...]
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
            fields |= dict(device_inputs.fields_of_devices(start, texts))
        else:
            lines = line_count(field.widget, texts.get(field.pointer, ""))
            fields[PREFIX + field.pointer] = GuidedInput(field, lines)
    return fields


def groups(
    form: forms.Form, start: Start, texts: Mapping[str, str], requested: str = ""
) -> Iterator[InputGroup]:
    """Yield the groups of a form's inputs in display order; the requested one is open."""
    for group in start.groups:
        has_rows = any(field.widget is Widget.DEVICES for field in group.fields)
        inputs = () if has_rows else tuple(form[PREFIX + f.pointer] for f in group.fields)
        rows = tuple(device_inputs.rows_of_devices(form, start, texts)) if has_rows else ()
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
