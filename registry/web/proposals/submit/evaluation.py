"""Checks a hardware profile as if it were submitted now."""

from __future__ import annotations

from registry.domain.errors import Code, Fault, Refused
from registry.domain.reference import Tag as TagName
from registry.domain.user_text import normalize_text
from registry.services.core import remarks
from registry.services.versions import checking, publishing
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import create_draft
from registry.web.proposals.submit import bodies
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_state import FormState, Step
from ttag_rules.pointer import ROOT

UNNAMED = TagName.parse("unnamed/unnamed")  # of a body whose tag is invalid, to check it anyway


def evaluate(state: FormState) -> CheckedBody | None:
    """Check all parts of a form and draft its body once, without writing.

    Adds all refusals to the form as errors, and then returns None.
    """
    state.step = Step.CHECK
    if state.refusals:
        return None
    tag, message = state.attempt(Part.TAG, state.find_tag), normalize_text(state.values["message"])
    state.attempt(Part.FIELDS, lambda: publishing.check_message(message, state.source_urls))
    state.attempt(Part.FIELDS, lambda: remarks.check_text(state.values["text"], needed=False))
    source, faults = bodies.read_body(state)
    if faults:
        state.refuse(Part.TEXTS, Refused(Code.BODY_INVALID, "", faults=faults))
    checked = None
    if _can_be_checked(state, faults):
        checked = state.attempt(Part.BODY, lambda: _check_body(tag, source))
    return None if state.refusals else checked


def stale_message(state: FormState, checked: CheckedBody) -> str:
    """Return how the tag has changed since the form was opened; empty if it has not."""
    try:
        publishing.refuse_stale(checked.history, state.base_version)
    except Refused as refusal:
        return refusal.detail
    return ""


def _check_body(tag: TagName | None, source: str) -> CheckedBody | None:
    if tag:
        return checking.check_for_writing(tag, source)
    create_draft(source, UNNAMED, ())
    return None


def _can_be_checked(state: FormState, faults: list[Fault]) -> bool:
    """Return whether the body without its invalid fields has the faults of the whole one.

    Without the JSON or a device it would have others.
    """
    fields = state.start.fields if state.start else {}
    return all(fault.pointer in fields and fault.pointer != ROOT for fault in faults)
