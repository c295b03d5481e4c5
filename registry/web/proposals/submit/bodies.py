"""The body of a form: in its guided fields, or as JSON, and from one to the other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from registry.domain import body_form, document
from registry.domain.body_form import BodyRole, Start
from registry.domain.body_form.fact_sources import with_sources
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.kinds.hardware import hardware_of
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.user_text import link_faults
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.web.core.json_blocks import format_json
from registry.web.proposals.submit import form_data
from registry.web.proposals.submit.form_data import FIELDS_MODE, JSON_MODE, PREFIX
from registry.web.proposals.submit.form_state import FormState


def read_body(state: FormState) -> tuple[str, list[Fault]]:
    """Return the body as JSON, and the faults of guided fields, which it then lacks.

    The sources of the form count for the facts that its fields state or change.
    """
    if state.start is None:
        return state.values["body"], []
    body, faults = body_form.read_texts(state.texts, state.start)
    urls = [url for url in state.source_urls if not [*link_faults(url, "")]]
    if hardware_of(body) and urls:
        body[HARDWARE] = _sourced_facts(state, state.start, hardware_of(body), urls)
    return format_json(body), faults


def _sourced_facts(
    state: FormState, start: Start, facts: Mapping[str, Any], urls: Sequence[str]
) -> Mapping[str, Any]:
    """Return the facts of a body with these sources. At most four queries."""
    is_heir = start.role is BodyRole.HEIR
    inherited = _facts_of(state.texts.get("/tag", "").partition("\n")[0]) if is_heir else {}
    before = inherited | (_facts_of(state.values["tag"]) if state.values["base"] else {})
    passed_on = None if start.role is BodyRole.KIND else inherited
    current = kinds.current_kinds().kinds
    if HARDWARE not in current:
        return facts
    return with_sources(facts, before, urls, current[HARDWARE], inherited=passed_on)


def _facts_of(reference: str) -> dict[str, Any]:
    """Return the hardware facts of what a reference resolves to. At most two queries."""
    return {**hardware_of(form_starts.target_of(reference.strip()))}


def convert_to_json(state: FormState) -> FormState:
    """Return the form with its body as JSON. Raises `Refused` for an invalid field."""
    body, faults = read_body(state)
    refuse_all(faults)
    return _json_state(state.values, body)


def convert_to_fields(state: FormState) -> FormState:
    """Return the form with its body in fields.

    Raises `Refused` if the text is not JSON or the kind is unknown.
    """
    return _fields_state(state.values, document.parse_json(state.values["body"]))


def state_with_body(values: Mapping[str, str], source: str) -> FormState:
    """Return a form with a stored or imported body; in fields if its kind still exists."""
    body: Any = json.loads(source)
    try:
        return _fields_state(values, body)
    except Refused:
        return _json_state(values, format_json(body))


def state_with_fields(
    values: Mapping[str, str], start: body_form.Start, texts: Mapping[str, str]
) -> FormState:
    """Return a form with these texts in its guided fields."""
    fields = {PREFIX + pointer: text for pointer, text in texts.items()}
    begun = {
        "mode": FIELDS_MODE,
        "role": str(start.role),
        "start_kind": start.kind,
        "body": "",
    }
    state = FormState(form_data.without_fields(values) | begun | fields)
    state.begin(start)
    return state


def _fields_state(values: Mapping[str, str], body: Json) -> FormState:
    if not isinstance(body, dict):
        detail = "A body must be a JSON object, in braces: { }."
        raise Refused(Code.BODY_INVALID, detail)
    start = body_form.start_of(kinds.current_kinds().kinds, body, form_starts.kind_of)
    return state_with_fields(values, start, body_form.body_to_texts(body, start))


def _json_state(values: Mapping[str, str], body: str) -> FormState:
    return FormState(form_data.without_fields(values) | {"mode": JSON_MODE, "body": body})
