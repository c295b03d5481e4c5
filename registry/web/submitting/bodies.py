"""The body that a form states, from either of its faces, and from one face to the other."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from registry.domain import document, guided
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.guided import Role, Start
from registry.services import kinds
from registry.services.reading import beginnings
from registry.web.code import layout
from registry.web.submitting.typed import BY_FIELDS, BY_JSON, Typed


def source_of(typed: Typed) -> str:
    """The body as it would be published. Raises `Refused`: what a field holds cannot be read."""
    if typed.face == BY_JSON:
        return typed.body
    return layout(guided.body(typed.texts, start_of(typed)))


def start_of(typed: Typed) -> Start:
    """What the guided fields began with. Raises `Refused` (KIND_UNKNOWN)."""
    known = kinds.current().kinds
    if typed.role == Role.HEIR:
        return guided.start_of_parents(known, typed.of)
    if typed.role == Role.MIXIN:
        return guided.start_of_mixin(known, typed.of)
    return guided.start_of_kind(known, typed.of)


def by_json(typed: Typed) -> Typed:
    """The same in the editor. Raises `Refused` for a field that cannot be read."""
    return replace(typed, face=BY_JSON, body=source_of(typed), texts={})


def in_json(typed: Typed) -> Typed:
    """Fields of nobody knows which start, so that nothing typed is lost."""
    return replace(typed, face=BY_JSON, body=typed.body or layout({**typed.texts}), texts={})


def by_fields(typed: Typed) -> Typed:
    """The same in fields. Raises `Refused` for what is no JSON, or of no known kind."""
    return filled(typed, document.parse(typed.body))


def filled(typed: Typed, body: Json) -> Typed:
    """A form with a body in its fields. Raises `Refused` (KIND_UNKNOWN)."""
    if not isinstance(body, dict):
        raise _no_object()
    start = guided.start_of(kinds.current().kinds, body, beginnings.kind_of)
    return replace(
        typed,
        face=BY_FIELDS,
        role=str(start.role),
        of=start.kind,
        texts=guided.typed(body, start),
        body="",
    )


def written(typed: Typed, source: str) -> Typed:
    """A form with a body that is stored or was imported: in fields where they can say it."""
    body: Any = json.loads(source)
    try:
        return filled(typed, body)
    except Refused:  # of a kind that is gone
        return replace(typed, face=BY_JSON, body=layout(body), texts={})


def inherited(typed: Typed) -> Json:
    """The target of the first parent, for fields that are empty; None where none is at hand."""
    parents = typed.texts.get("/tag", "").split() if typed.role == Role.HEIR else ()
    found: Any = beginnings.target_of(parents[0]) if parents else None
    return found or None


def _no_object() -> Refused:
    return Refused(Code.BODY_INVALID, "A body is a JSON object: it begins with { and ends with }.")
