"""The first step: the form starts from a kind, parents, pasted text, a tag or a proposal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from registry.domain import body_form
from registry.domain.errors import Code, Fault, Refused, refuse_all, report_errors_at
from registry.domain.importers import IMPORTERS
from registry.domain.json_positions import find_positions
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.services.proposals.form_starts import FormStart
from registry.web.core import error_pages
from registry.web.proposals.submit import bodies, form_data, pasted_text
from registry.web.proposals.submit.form_data import JSON_MODE
from registry.web.proposals.submit.form_errors import Part, ServiceForm
from registry.web.proposals.submit.inputs import NAME, Text
from registry.web.proposals.submit.missing_namespace import missing_namespace
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.steps import FILL, STEPS

TEMPLATE = "registry/submit/start.html"
KIND, PARENT, TEXT = "kind", "parent", "text"
LABELS = {KIND: "A kind", PARENT: "A parent", TEXT: "Pasted text"}
FIELDS = {KIND: ["kind"], PARENT: ["parent"], TEXT: ["source", "format"]}
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
    how = Text("Start from", widget=forms.RadioSelect(choices=list(LABELS.items())))
    kind = Text("Kind of the target", widget=forms.Select())
    parent = Text(
        "Parents",
        mark_safe(
            "A tag to inherit from, such as <code>nvidia/nvidia-a100@1</code>. Separate several "
            "with commas; mixins come after the first."
        ),
        forms.TextInput(NAME),
    )
    source = Text(
        "Pasted text",
        "A TVM target in JSON or Python, a TVM command line, a split configuration, or the "
        "registry's own JSON.",
        forms.Textarea({**NAME, "rows": 6, "cols": False}),
    )
    format = Text("Format", widget=forms.Select(choices=list(FORMATS.items())))

    def __init__(self, data: Mapping[str, str]) -> None:
        """Bind the form to posted data or query parameters."""
        values = {name: data.get(name, "").strip() for name in ("tag", "kind", "parent")}
        values["source"] = data.get("source", "").replace("\r\n", "\n")
        values["format"] = data.get("format", pasted_text.DETECT)
        how = data.get("how") or (PARENT if values["parent"] else KIND)
        values["how"] = how if how in LABELS else KIND
        super().__init__(values | {"kind": values["kind"] or DEFAULT_KIND})

    @property
    def options(self) -> Iterator[tuple[BoundWidget, list[forms.BoundField]]]:
        """Yield the radio buttons, each with its fields."""
        for option, button in zip(LABELS, self["how"], strict=True):
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


def form_from_start(start: StartForm) -> ProfileForm:
    """Return the form to fill in. Raises `Refused` with faults at fields of the first step."""
    values = start.values
    existing = find_existing(start)
    if values["how"] == TEXT:
        return _form_from_text(start, existing)
    if existing.exact:
        return form_from_tag(existing)
    all_kinds = kinds.current_kinds().kinds
    empty = form_data.parse_form({"tag": existing.tag, "base": existing.base})
    if values["how"] == KIND:
        from_kind = body_form.start_of_kind(all_kinds, values["kind"])
        return bodies.form_with_fields(empty, from_kind, {})
    parents = values["parent"].replace(",", " ").split()
    if not parents:
        refuse_all([_missing("/parent", "a parent", "a tag such as arm/soc@1")])
    from_parents = body_form.start_of_parents(all_kinds, form_starts.kind_of(parents[0]))
    return bodies.form_with_fields(empty, from_parents, {"/tag": "\n".join(parents)})


def find_existing(start: StartForm) -> FormStart:
    """Return the tag's newest body. Raises `Refused` with a fault at the tag's field."""
    with report_errors_at("/tag"):
        return form_starts.start_from_tag(start.tag_name)


def form_from_tag(existing: FormStart) -> ProfileForm:
    """Return the form for a new version of a tag."""
    values = form_data.parse_form({"tag": existing.tag, "base": existing.base})
    form = bodies.form_with_body(values, existing.source)
    form.notes = [
        f"{existing.tag} exists. The form starts from its newest body, that of {existing.exact}."
    ]
    return form


def form_from_proposal(number: int, existing: FormStart) -> ProfileForm:
    """Return the form for a new revision of a proposal."""
    values = form_data.parse_form(
        {
            "tag": existing.tag,
            "base": existing.base,
            "message": existing.message,
            "sources": "\n".join(existing.sources),
            "proposal": str(number),
            "seen": str(existing.revision),
        }
    )
    form = bodies.form_with_body(values, existing.source)
    form.notes = [
        f"The form starts from revision {existing.revision} of proposal {number}, the newest."
    ]
    return form


def _form_from_text(start: StartForm, existing: FormStart) -> ProfileForm:
    source = start.values["source"]
    if not source.strip():
        refuse_all([_missing("/source", "a text", "a target, as TVM or the registry writes it")])
    values = form_data.parse_form(
        {"tag": existing.tag, "base": existing.base, "face": JSON_MODE, "body": source}
    )
    pasted = pasted_text.read_pasted(source, start.values["format"], start.tag_name)
    if pasted.body is not None:
        form = bodies.form_with_body(values, pasted.body)
    else:
        form = ProfileForm(values)
        with suppress(Refused):  # a check then shows the line of the error
            form = bodies.convert_to_fields(form)
    form.notes = pasted.notes
    return form


def render_start(
    request: HttpRequest, start: StartForm, refusal: Refused | None = None
) -> HttpResponse:
    """Render the page of the first step, with its errors if it was refused."""
    start.offer_kinds()
    context: dict[str, Any] = {
        "start": start,
        "section": "submit",
        "steps": STEPS,
        "step": FILL,
        "missing": missing_namespace(start),
    }
    if refusal is None:
        return render(request, TEMPLATE, context)
    start.refuse(Part.FIELDS, refusal)
    context["problems"] = start.problems
    return error_pages.refusal_page(request, refusal, template=TEMPLATE, **context)


def _missing(pointer: str, what: str, expected: str) -> Fault:
    return Fault(pointer, Code.REQUEST_INVALID, f"{what} is missing", expected)
