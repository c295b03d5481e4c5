"""Convert the form between guided fields and JSON, or give it another body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from registry.domain import body_form, document
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.web.core.json_blocks import format_json
from registry.web.proposals.submit import form_data
from registry.web.proposals.submit.device_inputs import PREFIX
from registry.web.proposals.submit.form_data import FIELDS_MODE, JSON_MODE
from registry.web.proposals.submit.profile_form import ProfileForm


def convert_to_json(form: ProfileForm) -> ProfileForm:
    """Return the form with its body as JSON. Raises `Refused` for an invalid field."""
    return _json_form(form.values, form.source)


def convert_to_fields(form: ProfileForm) -> ProfileForm:
    """Return the form with its body in fields.

    Raises `Refused` if the text is not JSON or the kind is unknown.
    """
    return _fields_form(form.values, document.parse_json(form.values["body"]))


def form_with_body(values: Mapping[str, str], source: str) -> ProfileForm:
    """Return a form with a stored or imported body; in fields if its kind still exists."""
    body: Any = json.loads(source)
    try:
        return _fields_form(values, body)
    except Refused:
        return _json_form(values, format_json(body))


def form_with_fields(
    values: Mapping[str, str], start: body_form.Start, texts: Mapping[str, str]
) -> ProfileForm:
    """Return a form with these texts in its guided fields."""
    state = {
        "mode": FIELDS_MODE,
        "role": str(start.role),
        "start_kind": start.kind,
        "body": "",
    }
    fields = {PREFIX + pointer: text for pointer, text in texts.items()}
    return ProfileForm({**form_data.without_fields(values), **state, **fields}, start)


def _fields_form(values: Mapping[str, str], body: Json) -> ProfileForm:
    if not isinstance(body, dict):
        detail = "A body must be a JSON object, in braces: { }."
        raise Refused(Code.BODY_INVALID, detail)
    start = body_form.start_of(kinds.current_kinds().kinds, body, form_starts.kind_of)
    return form_with_fields(values, start, body_form.body_to_texts(body, start))


def _json_form(values: Mapping[str, str], body: str) -> ProfileForm:
    return ProfileForm({**form_data.without_fields(values), "mode": JSON_MODE, "body": body})
