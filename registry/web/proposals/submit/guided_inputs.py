"""The input for one field of a schema, with its unit, hint and descriptions."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.urls import reverse_lazy
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from registry.domain.body_form import BodyRole, Widget
from registry.domain.body_form.fields import Field
from registry.domain.pointer import ROOT
from registry.domain.quantities import EXAMPLES
from registry.web.proposals.submit import field_texts

WHITE_SPACE = re.compile(r"\s")  # not allowed in an HTML id
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
PLAIN: dict[str, Any] = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
NAME = {"class": "name", **PLAIN}


def suggest_tags(**query: str) -> dict[str, Any]:
    """Return the attributes of an input that suggests tags; the query says how."""
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
        return WHITE_SPACE.sub("_", self.html_name)

    @property
    def unit(self) -> str:
        """Return the unit of the number, with the number in another form."""
        return field_texts.unit_text(self.field.guided, self.value() or "")

    @cached_property
    def hint(self) -> str:
        """Return the value that an empty input stands for."""
        role = BodyRole.KIND if self.field.is_compact else self.form.start.role
        inherited = self.form.inherited if role is BodyRole.HEIR else None
        return field_texts.hint(self.field.guided, role, inherited)

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
    """The form field for one field of a schema, without descriptions if it `is_compact`.

    Compact are the options of devices, which inherit nothing.
    """

    bound_field_class = BoundGuidedInput

    def __init__(self, guided: Field, lines: int = 0, *, is_compact: bool = False) -> None:
        help_text = guided.help if guided.pointer != ROOT and not is_compact else ""
        super().__init__(guided.label, help_text, widget_for(guided, lines))
        self.guided = guided
        self.is_compact = is_compact
        self.description = "" if is_compact else field_texts.description(guided)
        self.is_wide = lines > 1 or (is_compact and guided.widget is Widget.JSON)


def widget_for(guided: Field, lines: int) -> forms.Widget:
    if guided.widget in SELECTS:
        return forms.Select()
    attrs = NAME | ({"aria-required": "true"} if guided.is_required else {})
    if lines:
        return forms.Textarea({**attrs, "rows": lines, "cols": False})
    # A text input: type=number would drop invalid input. A unit needs letters.
    if guided.widget is Widget.INTEGER and guided.unit not in EXAMPLES:
        attrs = attrs | {"inputmode": "numeric"}
    if guided.widget in SUGGESTIONS:
        attrs = attrs | suggest_tags(**SUGGESTIONS[guided.widget])
    return forms.TextInput(attrs)


def line_count(widget: Widget, text: str) -> int:
    """Return the height of a text area; 0 for a widget of one line."""
    if widget not in MIN_LINES or (widget is Widget.PARENTS and "\n" not in text.strip()):
        return 0
    needed = sum(1 + len(line) // LINE_LENGTH for line in text.splitlines())
    return min(max(MIN_LINES[widget], needed), MAX_LINES)
