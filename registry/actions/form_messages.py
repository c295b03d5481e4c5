"""Errors of services as messages of forms and fields."""

from __future__ import annotations

from django import forms

from registry.domain.errors import Code, Fault, Refused
from registry.http.problems import PROBLEMS
from ttag_rules.names import EXPECTED


def add_refusal(form: forms.Form, refusal: Refused) -> int:
    """Add the faults of an error to the fields of a form; return the HTTP status."""
    for fault in refusal.faults:
        name = fault.pointer.removeprefix("/")
        place = f"{fault.pointer}: " if fault.pointer and name not in form.fields else ""
        form.add_error(name if name in form.fields else None, place + fault_sentence(fault))
    if not refusal.faults:
        form.add_error(None, f"{refusal.detail} {suggestion_hint(refusal)}".rstrip())
    return PROBLEMS[refusal.code].status


def ask_for_empty_fields(form: forms.Form) -> None:
    """Let each field that a form requires say what to enter, unless it does already."""
    for field in form.fields.values():
        if field.error_messages["required"] == forms.Field.default_error_messages["required"]:
            field.error_messages["required"] = _request(field)


def _request(field: forms.Field) -> str:
    if isinstance(field, forms.MultipleChoiceField):
        return "Choose at least one."
    if isinstance(field, forms.ChoiceField):
        return "Choose one."
    label = str(field.label)
    is_word = label[1:2].islower()  # and no abbreviation
    return f"Enter the {label[:1].lower() if is_word else label[:1]}{label[1:]}."


def fault_sentence(fault: Fault) -> str:
    """Return a fault as a sentence with the expected value and suggestions."""
    text = f"{fault.message.rstrip('.')}."
    if fault.expected and fault.expected not in text:
        text += f" Expected: {fault.expected}."
    if fault.suggestions:
        text += f" Did you mean {' or '.join(fault.suggestions)}?"
    return text


def suggestion_hint(refusal: Refused) -> str:
    """Return a sentence with suggestions; empty if there are none."""
    if refusal.suggestions:
        return f"Did you mean {' or '.join(refusal.suggestions)}?"
    return f"Expected: {EXPECTED}." if refusal.code is Code.REFERENCE_INVALID else ""
