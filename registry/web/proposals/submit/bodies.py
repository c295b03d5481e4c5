"""The same form with its body in the other face, or with another body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from registry.domain import body_form, document
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.web.core.code_blocks import format_json
from registry.web.proposals.submit import form_data
from registry.web.proposals.submit.form_data import BY_FIELDS, BY_JSON
from registry.web.proposals.submit.inputs import PREFIX
from registry.web.proposals.submit.profile_form import ProfileForm


def in_json(form: ProfileForm) -> ProfileForm:
    """Return the same form with its body as JSON. Raises `Refused` for an unreadable field."""
    return _with_json(form.values, form.source)


def in_fields(form: ProfileForm) -> ProfileForm:
    """Return the same form with its body in fields.

    Raises `Refused` for text that is not JSON, or of an unknown kind.
    """
    return _with_fields(form.values, document.parse_json(form.values["body"]))


def with_body(values: Mapping[str, str], source: str) -> ProfileForm:
    """Return a form with a body that is stored or was imported: in fields where they can say it."""
    body: Any = json.loads(source)
    try:
        return _with_fields(values, body)
    except Refused:  # of a kind that is gone
        return _with_json(values, format_json(body))


def _with_fields(values: Mapping[str, str], body: Json) -> ProfileForm:
    if not isinstance(body, dict):
        detail = "A body is a JSON object: it begins with { and ends with }."
        raise Refused(Code.BODY_INVALID, detail)
    start = body_form.start_of(kinds.current_kinds().kinds, body, form_starts.kind_of)
    return with_texts(values, start, body_form.body_to_texts(body, start))


def with_texts(
    values: Mapping[str, str], start: body_form.Start, texts: Mapping[str, str]
) -> ProfileForm:
    """Return a form with these texts in its guided fields."""
    began = {"face": BY_FIELDS, "role": str(start.role), "of": start.kind, "body": ""}
    typed = {PREFIX + pointer: text for pointer, text in texts.items()}
    return ProfileForm({**form_data.without_body(values), **began, **typed}, start)


def _with_json(values: Mapping[str, str], body: str) -> ProfileForm:
    return ProfileForm({**form_data.without_body(values), "face": BY_JSON, "body": body})
