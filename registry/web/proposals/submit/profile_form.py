"""The form for a hardware profile: its body in guided fields or as JSON, and texts about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.urls import reverse, reverse_lazy
from django.utils.html import format_html

from registry.actions.form_messages import fault_sentence
from registry.domain import body_form
from registry.domain.body_form import Role, Start, devices
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, TextPosition, echo
from registry.domain.json_positions import find_positions
from registry.domain.version_number import VersionNumber
from registry.models import SavedDraft
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.web.core.code_blocks import format_json
from registry.web.proposals.submit import form_data, form_errors, inputs
from registry.web.proposals.submit.form_data import BY_FIELDS, BY_JSON, number
from registry.web.proposals.submit.form_errors import FormError, Part, ServiceForm
from registry.web.proposals.submit.inputs import NAME, PLAIN, PREFIX, InputGroup, Text

FIRST_DEVICE = devices.Row(0, "", "").pointer


class State(Text):
    """A hidden field: what the form began with, and over which version."""

    def __init__(self) -> None:
        super().__init__("", widget=forms.HiddenInput({"id": False}))


class Area(Text):
    """A text of several lines."""

    def __init__(self, label: str, attrs: Mapping[str, Any], help_text: str = "") -> None:
        super().__init__(label, help_text, forms.Textarea({**attrs, "cols": False}))


class ProfileForm(ServiceForm):
    """Everything that somebody typed, right or wrong.

    `role` and `of` say which `Start` the guided fields have. `base` is the version last published
    when the form was begun, `proposal` the number of the one that is revised, `seen` the revision
    of it that was read. `saved_draft` is the draft that the form is kept in; `notes` are sentences
    about how it was begun.
    """

    face = State()
    role = State()
    of = State()
    base = State()
    proposal = State()
    seen = State()
    key = State()
    tag = Text(
        "Tag",
        widget=forms.TextInput({**NAME, "aria-required": "true", "aria-describedby": "tag-base"}),
    )
    body = Area(
        "Body, as JSON",
        {
            **PLAIN,
            "rows": 16,
            "aria-describedby": "body-help",
            "data-editor": True,
            "data-check": reverse_lazy("api:check"),
            "data-schema": reverse_lazy("api:kind", args=["body"]),
            "data-tags": reverse_lazy("api:tags"),
            "data-tag": "#tag",
        },
    )
    message = Area(
        "Message",
        {"rows": 3},
        "What it is, or what is new in it. It stands beside the version for good, for everybody "
        "to read.",
    )
    sources = Area(
        "Sources",
        {**NAME, "rows": 2},
        "Pages that vouch for it, such as data sheets: one https URL a line.",
    )
    text = Area("What is different", {"rows": 2})

    def __init__(self, values: Mapping[str, str], start: Start | None = None) -> None:
        """Bind the form to values as `form_data.profile` returns them.

        Guided fields of an unknown start become JSON, so that nothing typed is lost.
        """
        self.notes: Sequence[str] = ()
        self.saved_draft: SavedDraft | None = None
        self.unknown_start: Refused | None = None
        values = dict(values)
        if values["face"] == BY_FIELDS and start is None:
            try:
                start = _start(values)
            except Refused as refusal:
                self.unknown_start = refusal
                body = values["body"] or format_json({**inputs.texts(values)})
                values = form_data.without_body(values) | {"face": BY_JSON, "body": body}
        super().__init__(values)
        self.start = start
        if start:
            self.fields |= inputs.inputs(start, self.texts)
        if self.revises:
            self.fields["text"].help_text = format_html(
                'For whoever reviews <a href="{}">proposal {}</a>; it may stay empty.',
                reverse("proposal", args=[self.revises]),
                self.revises,
            )
            self.fields["tag"].widget.attrs["readonly"] = True

    @classmethod
    def read(cls, post: Mapping[str, str], saved_draft: SavedDraft | None = None) -> ProfileForm:
        """Return the form that was sent, or that a draft holds."""
        form = cls(form_data.profile(post))
        form.saved_draft = saved_draft
        return form

    @property
    def texts(self) -> dict[str, str]:
        """What was typed into the guided fields, by JSON pointer."""
        return inputs.texts(self.values)

    @property
    def groups(self) -> list[InputGroup]:
        """The guided fields; none where the body is JSON."""
        return list(inputs.groups(self, self.start)) if self.start else []

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields that say why."""
        names = ["message", "sources", *(["text"] if self.revises else [])]
        return [self[name] for name in names]

    @cached_property
    def inherited(self) -> Json:
        """The target of the first parent, None where it is not known. At most two queries."""
        is_heir = self.start is not None and self.start.role is Role.HEIR
        parents = self.texts.get("/tag", "").split() if is_heir else ()
        found: Any = form_starts.target_of(parents[0]) if parents else None
        return found or None

    @property
    def source(self) -> str:
        """The body as it would be published. Raises `Refused` for a field that cannot be read."""
        if self.unknown_start:
            raise self.unknown_start
        if self.start is None:
            return self.values["body"]
        return format_json(body_form.texts_to_body(self.texts, self.start))

    @property
    def expected(self) -> VersionNumber | None:
        """The version last published when the form was begun. Raises `Refused`."""
        base = self.values["base"]
        try:
            return VersionNumber.parse(base) if base else None
        except ValueError:
            raise Refused(
                Code.REQUEST_INVALID, f"{echo(base)} is no version number, such as 1.2.0."
            ) from None

    @property
    def links(self) -> list[str]:
        """The pages that vouch for it, one a line."""
        return [line.strip() for line in self.values["sources"].splitlines() if line.strip()]

    @property
    def revises(self) -> int:
        """The number of the proposal that it revises; 0 for none."""
        return number(self.values["proposal"])

    @property
    def revision(self) -> int:
        """The number of the proposal's revision that was read."""
        return number(self.values["seen"])

    def errors_of(self, part: Part, refusal: Refused) -> Iterator[FormError]:
        """Yield the errors for a refusal; those of a body at its fields or lines."""
        if part is Part.BODY and refusal.faults:
            yield from self.errors_of_body(refusal.faults)
        elif part is Part.BODY and self.start is None:
            yield self._error_in_json(refusal.place, form_errors.whole(refusal))
        else:
            yield from super().errors_of(part, refusal)

    def place_in(self, name: str, rest: str, fault: Fault) -> str:
        """Return the line of a source."""
        return f"line {int(rest) + 1}" if rest else ""

    def errors_of_body(self, faults: Sequence[Fault]) -> Iterator[FormError]:
        """Yield an error or a warning for each fault of the body."""
        if self.start is None:
            found = find_positions(self.values["body"], {fault.pointer for fault in faults})
            for fault in faults:
                pointer = fault.pointer
                text = f"{pointer}: {fault_sentence(fault)}" if pointer else fault_sentence(fault)
                yield self._error_in_json(found[pointer] if pointer else None, text, pointer)
            return
        for fault in faults:
            at = body_form.field_pointer(fault, self.start, self.texts)
            at = FIRST_DEVICE if at == devices.DEVICES_POINTER else at
            yield self.error_at("" if at is None else PREFIX + at, fault_sentence(fault))

    def _error_in_json(self, place: TextPosition | None, text: str, pointer: str = "") -> FormError:
        if place is None:
            return FormError(text, "body", href="#body", label="Body")
        label, href = f"Line {place.line}, column {place.column}", f"#line-{place.line}"
        return FormError(text, "body", href=href, label=label, line=place.line, pointer=pointer)


def _start(values: Mapping[str, str]) -> Start:
    """Return what the guided fields began with. Raises `Refused` (KIND_UNKNOWN)."""
    known, role, kind = kinds.current_kinds().kinds, values["role"], values["of"]
    if role == Role.HEIR:
        return body_form.start_of_parents(known, kind)
    if role == Role.MIXIN:
        return body_form.start_of_mixin(known, kind)
    return body_form.start_of_kind(known, kind)
