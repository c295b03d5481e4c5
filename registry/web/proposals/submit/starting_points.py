"""What the form for a hardware profile starts from: a kind, a parent, pasted text, a tag."""

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
from registry.web.proposals.submit.form_data import BY_JSON
from registry.web.proposals.submit.form_errors import Part, ServiceForm
from registry.web.proposals.submit.inputs import NAME, Text
from registry.web.proposals.submit.profile_form import ProfileForm
from registry.web.proposals.submit.steps import FILL, STEPS

TEMPLATE = "registry/submit/start.html"
KIND, PARENT, TEXT = "kind", "parent", "text"
WAYS = {KIND: "A kind", PARENT: "A parent", TEXT: "Pasted text"}
FIELDS = {KIND: ["kind"], PARENT: ["parent"], TEXT: ["source", "format"]}
DEFAULT_KIND = "llvm"
FORMATS = {
    pasted_text.GUESS: "Find out",
    pasted_text.OWN: "The registry's own JSON",
    **{name: importer.summary for name, importer in IMPORTERS.items()},
}


class StartForm(ServiceForm):
    """The first step: a tag, and what its profile starts from."""

    tag = Text(
        "Tag",
        mark_safe(
            "What the profile is called: <code>namespace/name</code> or "
            "<code>namespace/name:variant</code>, such as <code>nvidia/jetson-nano:cuda</code>. "
            "For an existing tag, the form starts from its newest body."
        ),
        forms.TextInput({**NAME, "aria-required": "true"}),
    )
    how = Text("Begin with", widget=forms.RadioSelect(choices=list(WAYS.items())))
    kind = Text("Kind of the target", widget=forms.Select())
    parent = Text(
        "Parents",
        mark_safe(
            "A tag to inherit from, such as <code>nvidia/nvidia-a100@1</code>; several with commas "
            "between, mixins after the first."
        ),
        forms.TextInput(NAME),
    )
    source = Text(
        "Pasted text",
        "A target as TVM, a command line, a split configuration or the registry itself writes it.",
        forms.Textarea({**NAME, "rows": 6, "cols": False}),
    )
    format = Text("What it is", widget=forms.Select(choices=list(FORMATS.items())))

    def __init__(self, sent: Mapping[str, str]) -> None:
        """Bind the form to what an address or a browser sent."""
        values = {name: sent.get(name, "").strip() for name in ("tag", "kind", "parent")}
        values["source"] = sent.get("source", "").replace("\r\n", "\n")
        values["format"] = sent.get("format", pasted_text.GUESS)
        how = sent.get("how") or (PARENT if values["parent"] else KIND)
        values["how"] = how if how in WAYS else KIND
        super().__init__(values | {"kind": values["kind"] or DEFAULT_KIND})

    @property
    def ways(self) -> Iterator[tuple[BoundWidget, list[forms.BoundField]]]:
        """The radio buttons, each with the fields that it is about."""
        for way, button in zip(WAYS, self["how"], strict=True):
            yield button, [self[name] for name in FIELDS[way]]

    def offer_kinds(self) -> None:
        """Offer the kinds in force, and what was sent even if it is none of them."""
        known = sorted(kinds.current_kinds().kinds.targets)
        sent = [] if self.values["kind"] in known else [self.values["kind"]]
        field = self.fields["kind"]
        field.widget = forms.Select(choices=[(name, name) for name in [*known, *sent]])
        field.help_text = format_html(
            'The fields are those of the kind. <a href="{}">What each kind describes</a>',
            reverse("kinds"),
        )

    def place_in(self, name: str, rest: str, fault: Fault) -> str:
        """Return the line and column of a fault in the pasted text."""
        pointer = f"/{rest}"
        place = find_positions(self.values["source"], [pointer])[pointer] if rest else fault.place
        return f"line {place.line}, column {place.column}" if place else ""


def begin(start: StartForm) -> ProfileForm:
    """Return the form that was asked for. Raises `Refused` with faults at fields of the step."""
    values = start.values
    existing = find(start)
    if values["how"] == TEXT:
        return _pasted(start, existing)
    if existing.exact:
        return of_tag(existing)
    current = kinds.current_kinds().kinds
    empty = form_data.profile({"tag": existing.tag, "base": existing.base})
    if values["how"] == KIND:
        of_kind = body_form.start_of_kind(current, values["kind"])
        return bodies.with_texts(empty, of_kind, {})
    parents = values["parent"].replace(",", " ").split()
    if not parents:
        refuse_all([_missing("/parent", "a parent", "a tag such as arm/soc@1")])
    of_parents = body_form.start_of_parents(current, form_starts.kind_of(parents[0]))
    return bodies.with_texts(empty, of_parents, {"/tag": "\n".join(parents)})


def find(start: StartForm) -> FormStart:
    """Return what the tag has already. Raises `Refused` with a fault at the tag's field."""
    with report_errors_at("/tag"):
        return form_starts.start_from_tag(start.tag_name)


def of_tag(existing: FormStart) -> ProfileForm:
    """Start from the newest body of a tag."""
    values = form_data.profile({"tag": existing.tag, "base": existing.base})
    form = bodies.with_body(values, existing.source)
    form.notes = [
        f"{existing.tag} exists: this begins with the body of {existing.exact}, its newest."
    ]
    return form


def of_proposal(number: int, existing: FormStart) -> ProfileForm:
    """Start from the newest revision of a proposal, to revise it."""
    values = form_data.profile(
        {
            "tag": existing.tag,
            "base": existing.base,
            "message": existing.message,
            "sources": "\n".join(existing.sources),
            "proposal": str(number),
            "seen": str(existing.revision),
        }
    )
    form = bodies.with_body(values, existing.source)
    form.notes = [
        f"This begins with revision {existing.revision} of proposal {number}, its newest."
    ]
    return form


def _pasted(start: StartForm, existing: FormStart) -> ProfileForm:
    source = start.values["source"]
    if not source.strip():
        refuse_all([_missing("/source", "a text", "a target, as TVM or the registry writes it")])
    values = form_data.profile(
        {"tag": existing.tag, "base": existing.base, "face": BY_JSON, "body": source}
    )
    pasted = pasted_text.read(source, start.values["format"], start.tag_name)
    if pasted.body is not None:
        form = bodies.with_body(values, pasted.body)
    else:
        form = ProfileForm(values)
        with suppress(Refused):  # the check says at which line
            form = bodies.in_fields(form)
    form.notes = pasted.notes
    return form


def answer(request: HttpRequest, start: StartForm, refusal: Refused | None = None) -> HttpResponse:
    """Return the page of the first step, with what is wrong with what was sent."""
    start.offer_kinds()
    context: dict[str, Any] = {"start": start, "section": "submit", "steps": STEPS, "step": FILL}
    if refusal is None:
        return render(request, TEMPLATE, context)
    start.refuse(Part.FIELDS, refusal)
    context["problems"] = start.problems
    return error_pages.refusal_page(request, refusal, template=TEMPLATE, **context)


def _missing(pointer: str, what: str, expected: str) -> Fault:
    return Fault(pointer, Code.REQUEST_INVALID, f"{what} is missing", expected)
