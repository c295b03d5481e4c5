"""The form of the first step: a tag, and what its profile starts from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django import forms
from django.forms.boundfield import BoundWidget
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from registry.domain.errors import Code, Fault, refuse_all
from registry.domain.importers import IMPORTERS
from registry.domain.json_positions import find_positions
from registry.domain.user_text import normalize_lines
from registry.services.kinds import kinds
from registry.web.proposals.submit import pasted_text
from registry.web.proposals.submit.form_errors import ServiceForm
from registry.web.proposals.submit.guided_inputs import NAME, Text, suggest_tags

KIND, PARENT, TEXT = "kind", "parent", "text"
LABELS = {KIND: "A kind", PARENT: "A parent", TEXT: "Pasted text"}
FIELDS = {KIND: ["kind"], PARENT: ["parent"], TEXT: ["source", "format"]}
INITIALLY_EMPTY = (PARENT, TEXT)  # the options that start empty
DEFAULT_KIND = "llvm"
FORMATS = {
    pasted_text.DETECT: "Detect automatically",
    pasted_text.REGISTRY_JSON: "The registry's own JSON",
    **{name: importer.summary for name, importer in IMPORTERS.items()},
}


class StartForm(ServiceForm):
    """The form of the first step: a tag, and the starting point of its profile."""

    tag = Text(
        "Tag",
        mark_safe(
            "<code>namespace/name</code> or <code>namespace/name:variant</code>, such as "
            "<code>nvidia/jetson-nano:cuda</code>. For an existing tag, the form starts from its "
            "newest body."
        ),
        forms.TextInput({**NAME, "aria-required": "true"}),
    )
    start_from = Text("Start from", widget=forms.RadioSelect(choices=list(LABELS.items())))
    kind = Text("Kind of the target", widget=forms.Select())
    parent = Text(
        "Parents",
        mark_safe(
            "A tag to inherit from, such as <code>nvidia/nvidia-a100@1</code>. Separate several "
            "with commas; mixins come after the first."
        ),
        forms.TextInput({**NAME, **suggest_tags(separator=",")}),
    )
    source = Text(
        "Pasted text",
        "A TVM target in JSON or Python, a TVM command line, a split configuration, a command line "
        "of a compiler such as clang or nvcc, flags of IREE, or the registry's own JSON.",
        forms.Textarea({**NAME, "rows": 6, "cols": False}),
    )
    format = Text("Format", widget=forms.Select(choices=list(FORMATS.items())))

    def __init__(self, data: Mapping[str, str]) -> None:
        """Bind the form to posted data or query parameters."""
        values = {name: data.get(name, "").strip() for name in ("tag", "kind", "parent")}
        values["source"] = normalize_lines(data.get("source", ""))
        values["pasted"] = data.get("pasted", "")
        values["format"] = data.get("format", pasted_text.DETECT)
        values["start_from"] = data.get("start_from", "")
        filled = [option for option in INITIALLY_EMPTY if values[FIELDS[option][0]].strip()]
        if values["start_from"] not in LABELS:
            values["start_from"] = filled[0] if len(filled) == 1 else ""
        self.filled = filled
        super().__init__(values | {"kind": values["kind"] or DEFAULT_KIND})

    @property
    def option(self) -> str:
        """Return the option to start from: the one that is chosen, or filled in.

        Raises `Refused` (REQUEST_INVALID) if fields of another option are filled in as well.
        """
        chosen = self.values["start_from"] or (KIND if not self.filled else "")
        others = [LABELS[option].lower() for option in self.filled if option != chosen]
        if others:
            texts = " and ".join(others)
            state = f'"{LABELS[chosen]}" is chosen' if chosen else "nothing is chosen"
            message = f"{state}, but the form also has {texts}"
            expected = "one starting point: choose it, and clear the fields of the others"
            refuse_all([Fault("/start_from", Code.REQUEST_INVALID, message, expected)])
        return chosen

    @property
    def options(self) -> Iterator[tuple[BoundWidget, list[forms.BoundField]]]:
        """Yield the radio buttons, each with its fields."""
        for option, button in zip(LABELS, self["start_from"], strict=True):
            yield button, [self[name] for name in FIELDS[option]]

    def offer_kinds(self) -> None:
        """Fill the choices with the current kinds, and the input if it is not one of them."""
        names = sorted(kinds.current_kinds().kinds.targets)
        if self.values["kind"] not in names:
            names.append(self.values["kind"])
        field = self.fields["kind"]
        field.widget = forms.Select(choices=[(name, name) for name in names])
        field.help_text = format_html(
            'It determines the fields of the form. <a href="{}">All kinds</a>',
            reverse("kinds"),
        )

    def fault_position(self, name: str, rest: str, fault: Fault) -> str:
        """Return the line and column of a fault in the pasted text."""
        pointer = f"/{rest}"
        position = fault.place
        if rest:
            position = find_positions(self.values["source"], [pointer])[pointer]
        return f"line {position.line}, column {position.column}" if position else ""
