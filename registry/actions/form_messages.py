"""What people read where a service refuses: at the form's field, or as a sentence."""

from __future__ import annotations

from django import forms

from registry.domain.errors import Code, Fault, Refused
from registry.domain.reference import EXPECTED
from registry.http.problems import PROBLEMS


def add_refusal(form: forms.Form, refusal: Refused) -> int:
    """Put a refusal into a form, each fault at its field; the HTTP status that it stands for."""
    for fault in refusal.faults:
        name = fault.pointer.removeprefix("/")
        place = f"{fault.pointer}: " if fault.pointer and name not in form.fields else ""
        form.add_error(name if name in form.fields else None, place + fault_sentence(fault))
    if not refusal.faults:
        form.add_error(None, f"{refusal.detail} {suggestion_hint(refusal)}".rstrip())
    return PROBLEMS[refusal.code].status


def fault_sentence(fault: Fault) -> str:
    """A fault with what was expected and what may have been meant."""
    text = f"{fault.message.rstrip('.')}."
    if fault.expected and fault.expected not in text:
        text += f" Expected: {fault.expected}."
    if fault.suggestions:
        text += f" Did you mean {' or '.join(fault.suggestions)}?"
    return text


def suggestion_hint(refusal: Refused) -> str:
    """What may have been meant, and how it is written; empty where nothing is known."""
    if refusal.suggestions:
        return f"Did you mean {' or '.join(refusal.suggestions)}?"
    return f"Expected: {EXPECTED}." if refusal.code is Code.REFERENCE_INVALID else ""
