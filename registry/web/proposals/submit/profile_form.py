"""The form for a hardware profile: a body, in guided fields or as JSON, and its description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.urls import reverse, reverse_lazy
from django.utils.functional import cached_property
from django.utils.html import format_html

from registry.actions.form_messages import fault_sentence
from registry.domain import body_form
from registry.domain.body_form import BodyRole, Start, device_rows
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, TextPosition, echo
from registry.domain.json_positions import find_positions
from registry.domain.version_number import VersionNumber
from registry.models import SavedDraft
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.web.core.json_blocks import format_json
from registry.web.proposals.submit import form_data, form_errors, inputs
from registry.web.proposals.submit.device_inputs import PREFIX
from registry.web.proposals.submit.form_data import FIELDS_MODE, JSON_MODE, parse_number
from registry.web.proposals.submit.form_errors import FormError, Part, ServiceForm
from registry.web.proposals.submit.guided_inputs import NAME, PLAIN, Text
from registry.web.proposals.submit.inputs import InputGroup

FIRST_DEVICE = device_rows.row_pointer(0)


class HiddenText(Text):
    """A hidden field that keeps the state of the form."""

    def __init__(self) -> None:
        super().__init__("", widget=forms.HiddenInput({"id": False}))


class LongText(Text):
    """A text of several lines."""

    def __init__(self, label: str, attrs: Mapping[str, Any], help_text: str = "") -> None:
        super().__init__(label, help_text, forms.Textarea({**attrs, "cols": False}))


class ProfileForm(ServiceForm):
    """The input of the form, valid or not.

    `role` and `start_kind` identify the `Start` of the guided fields. `base` is the version last
    published when the form was opened, `proposal` the number of a proposal to revise, `seen` its
    revision at that time. `notes` are sentences about the origin of the input.
    """

    mode = HiddenText()
    role = HiddenText()
    start_kind = HiddenText()
    base = HiddenText()
    proposal = HiddenText()
    seen = HiddenText()
    key = HiddenText()
    tag = Text(
        "Tag",
        widget=forms.TextInput({**NAME, "aria-required": "true", "aria-describedby": "tag-base"}),
    )
    body = LongText(
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
    message = LongText(
        "Message",
        {"rows": 3},
        "Describe the hardware, or what changed. It is shown with the version, publicly and "
        "permanently.",
    )
    sources = LongText(
        "Sources",
        {**NAME, "rows": 2},
        "Pages that support the facts, such as data sheets: one https URL per line.",
    )
    text = LongText("What changed", {"rows": 2})

    def __init__(self, values: Mapping[str, str], start: Start | None = None) -> None:
        """Bind the form to values from `form_data.parse_form`.

        If their start is unknown, the guided fields become JSON, so that no input is lost.
        """
        self.notes: Sequence[str] = ()
        self.saved_draft: SavedDraft | None = None
        self.requested_group = ""  # of the guided fields, to be open
        self.unknown_start: Refused | None = None
        values = dict(values)
        if values["mode"] == FIELDS_MODE and start is None:
            try:
                start = _start(values)
            except Refused as refusal:
                self.unknown_start = refusal
                body = values["body"] or format_json({**inputs.texts(values)})
                values = form_data.without_fields(values) | {"mode": JSON_MODE, "body": body}
        if start:
            texts = body_form.adopt_texts(inputs.texts(values), start)
            values = form_data.without_fields(values)
            values |= {PREFIX + pointer: text for pointer, text in texts.items()}
        super().__init__(values)
        self.start = start
        if start:
            self.fields |= inputs.inputs(start, self.texts)
        if self.proposal_number:
            self.fields["text"].help_text = format_html(
                'For the reviewers of <a href="{}">proposal {}</a>. Optional.',
                reverse("proposal", args=[self.proposal_number]),
                self.proposal_number,
            )
            self.fields["tag"].widget.attrs["readonly"] = True

    @classmethod
    def read(cls, post: Mapping[str, str], saved_draft: SavedDraft | None = None) -> ProfileForm:
        """Return the form for posted data or the fields of a draft."""
        form = cls(form_data.parse_form(post))
        form.saved_draft = saved_draft
        return form

    @property
    def texts(self) -> dict[str, str]:
        """Return the texts of the guided fields by JSON pointer."""
        return inputs.texts(self.values)

    @property
    def groups(self) -> list[InputGroup]:
        """Return the guided fields; none if the body is JSON."""
        return (
            list(inputs.groups(self, self.start, self.texts, self.requested_group))
            if self.start
            else []
        )

    @property
    def description_fields(self) -> list[forms.BoundField]:
        """Return the fields that describe the change."""
        names = ["message", "sources", *(["text"] if self.proposal_number else [])]
        return [self[name] for name in names]

    @cached_property
    def inherited(self) -> Json:
        """Return the target of the first parent, None if unknown. At most two queries."""
        is_heir = self.start is not None and self.start.role is BodyRole.HEIR
        parents = self.texts.get("/tag", "").split() if is_heir else ()
        target: Any = form_starts.target_of(parents[0]) if parents else None
        return target or None

    @property
    def source(self) -> str:
        """Return the body to publish. Raises `Refused` for an invalid field."""
        if self.unknown_start:
            raise self.unknown_start
        if self.start is None:
            return self.values["body"]
        return format_json(body_form.texts_to_body(self.texts, self.start))

    @property
    def base_version(self) -> VersionNumber | None:
        """Return the version last published when the form was opened. Raises `Refused`."""
        base = self.values["base"]
        try:
            return VersionNumber.parse(base) if base else None
        except ValueError:
            raise Refused(
                Code.REQUEST_INVALID, f"{echo(base)} is not a version number such as 1.2.0."
            ) from None

    @property
    def source_urls(self) -> list[str]:
        """Return the URLs of the sources."""
        return [line.strip() for line in self.values["sources"].splitlines() if line.strip()]

    @property
    def proposal_number(self) -> int:
        """Return the number of the proposal to revise; 0 for a new one."""
        return parse_number(self.values["proposal"])

    @property
    def seen_revision(self) -> int:
        """Return the newest revision of the proposal when the form was opened."""
        return parse_number(self.values["seen"])

    def errors_for(self, part: Part, refusal: Refused) -> Iterator[FormError]:
        """Yield the errors for a refusal, those of the body at its fields or lines."""
        if part is Part.BODY and refusal.faults:
            yield from self.body_errors(refusal.faults)
        elif part is Part.BODY and self.start is None:
            yield self._json_error(refusal.place, form_errors.refusal_sentence(refusal))
        else:
            yield from super().errors_for(part, refusal)

    def fault_position(self, name: str, rest: str, fault: Fault) -> str:
        """Return the line of a fault in a list of lines."""
        return f"line {int(rest) + 1}" if rest else ""

    def body_errors(self, faults: Sequence[Fault]) -> Iterator[FormError]:
        """Yield an error or a warning for each fault of the body."""
        if self.start is None:
            positions = find_positions(self.values["body"], {fault.pointer for fault in faults})
            for fault in faults:
                pointer = fault.pointer
                text = f"{pointer}: {fault_sentence(fault)}" if pointer else fault_sentence(fault)
                yield self._json_error(positions[pointer] if pointer else None, text, pointer)
            return
        for fault in faults:
            field = body_form.field_pointer(fault, self.start, self.texts)
            if field == device_rows.DEVICES_POINTER:
                field = FIRST_DEVICE
            yield self.field_error("" if field is None else PREFIX + field, fault_sentence(fault))

    def _json_error(self, place: TextPosition | None, text: str, pointer: str = "") -> FormError:
        if place is None:
            return FormError(text, "body", href="#body", label="Body")
        label, href = f"Line {place.line}, column {place.column}", f"#line-{place.line}"
        return FormError(text, "body", href=href, label=label, line=place.line, pointer=pointer)


def _start(values: Mapping[str, str]) -> Start:
    """Return the start of the guided fields. Raises `Refused` (KIND_UNKNOWN)."""
    all_kinds, role, kind = kinds.current_kinds().kinds, values["role"], values["start_kind"]
    if role == BodyRole.HEIR:
        return body_form.start_of_parents(all_kinds, kind)
    if role == BodyRole.MIXIN:
        return body_form.start_of_mixin(all_kinds, kind)
    return body_form.start_of_kind(all_kinds, kind)
