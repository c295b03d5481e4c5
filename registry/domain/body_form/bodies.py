"""Convert the texts of a form to a body and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from registry.domain.body_form import devices
from registry.domain.body_form.device_rows import DEVICES
from registry.domain.body_form.fields import REST, BodyRole, Field, Start, Widget
from registry.domain.body_form.values import (
    UnreadableInput,
    editable_json,
    format_value,
    parse_value,
)
from registry.domain.document import Json
from registry.domain.errors import Fault, refuse_all
from registry.domain.user_text import normalize_text
from ttag_rules.pointer import ROOT, child, split_pointer

NAME_WIDGETS = (Widget.COMPONENT, Widget.TARGET)


def body_to_texts(body: Json, start: Start) -> dict[str, str]:
    """Return the texts of a body: one for each field, and JSON for what no field can contain."""
    rest: Any = _deep_copy(body) if isinstance(body, dict) else {}
    if start.role is BodyRole.KIND and rest.get("kind") == start.kind:
        del rest["kind"]
    texts: dict[str, str] = {}
    for field in start.fields.values():
        if field.widget is Widget.DEVICES:
            texts |= devices.take_devices(rest, start, body_to_texts, texts_to_body)
        elif field.pointer != ROOT and (text := _take(field, rest)):
            texts[field.pointer] = text
    if rest:
        # Sorted, because merging does not keep the order.
        texts[ROOT] = editable_json(_deep_copy(rest, sort_keys=True))
    return texts


def _deep_copy(value: Json, *, sort_keys: bool = False) -> Any:
    """Return a copy that shares no objects or lists."""
    return json.loads(json.dumps(value, sort_keys=sort_keys))


def texts_to_body(texts: Mapping[str, str], start: Start) -> dict[str, Any]:
    """Return the body that texts state. Raises `Refused` (BODY_INVALID) with the invalid texts.

    The body has the role of the start; it is not checked.
    """
    body, faults = read_texts(texts, start)
    refuse_all(faults)
    return body


def read_texts(texts: Mapping[str, str], start: Start) -> tuple[dict[str, Any], list[Fault]]:
    """Return the body that the valid texts state, and the faults of the others."""
    faults: list[Fault] = []
    rest = _parse_rest(texts, faults)
    result: dict[str, Any] = {}
    for field in start.fields.values():
        text = normalize_text(texts.get(field.pointer, ""))
        if field.widget is Widget.DEVICES:
            nodes = devices.parse_devices(texts, start, faults, texts_to_body)
            result |= {DEVICES: nodes} if nodes else {}
        elif text and field.pointer != ROOT:
            try:
                _put(result, _path(field, text), parse_value(field, text))
            except UnreadableInput as unreadable:
                faults.append(unreadable.fault)
    for field in start.fields.values():
        if field.widget in NAME_WIDGETS and field.label not in rest:
            _shorten(result, field.label)
    _merge(result, rest, ROOT, faults)
    return _with_kind(result, start), faults


def _with_kind(body: dict[str, Any], start: Start) -> dict[str, Any]:
    """Add the start's kind, unless the JSON states another."""
    if start.role is not BodyRole.KIND or "kind" in body:
        return body
    return {"kind": start.kind, **body}


def _parse_rest(texts: Mapping[str, str], faults: list[Fault]) -> dict[str, Any]:
    text = normalize_text(texts.get(ROOT, ""))
    if not text:
        return {}
    try:
        value = parse_value(REST, text)
    except UnreadableInput as unreadable:
        faults.append(unreadable.fault)
        return {}
    if isinstance(value, dict):
        return value
    faults.append(Fault(ROOT, "VALUE_TYPE", "this is not a JSON object", "an object, in { and }"))
    return {}


def _take(field: Field, rest: dict[str, Any]) -> str:
    """Remove what a field can contain from a body and return its text."""
    if field.widget is Widget.NAMED_LINES:
        return _take_lists(field, rest)
    take = _take_name if field.widget in NAME_WIDGETS else _take_value
    return take(field, rest)


def _take_lists(field: Field, rest: dict[str, Any]) -> str:
    """Remove the lists of an object from a body; its other members, such as edits, stay."""
    path = split_pointer(field.pointer)
    value = _value_at(rest, path)
    if not isinstance(value, dict):
        return ""
    lists: dict[str, Json] = {
        name: items for name, items in value.items() if isinstance(items, list)
    }
    text = format_value(field, lists)
    for name in lists if text else ():
        _remove(rest, [*path, name])
    return text


def _take_name(field: Field, rest: dict[str, Any]) -> str:
    """Remove the name of a component or target from a body and return its text."""
    value = rest.get(field.label)
    if isinstance(value, str):
        return _take_value(field, rest)
    if not isinstance(value, dict):
        return ""
    for key in ("tag", "kind"):
        name = value.get(key)
        if (
            isinstance(name, str)
            and _key(field, name) == key
            and (text := format_value(field, name))
        ):
            del value[key]  # but keep the object, even if empty: it was not just a name
            return text
    return ""


def _key(field: Field, name: str) -> str:
    """Return the member for a name with options next to it: a reference contains a slash."""
    return "tag" if field.widget is Widget.TARGET and "/" in name else "kind"


def _path(field: Field, text: str) -> list[str]:
    path = split_pointer(field.pointer)
    return [*path, _key(field, text)] if field.widget in NAME_WIDGETS else path


def _take_value(field: Field, rest: dict[str, Any]) -> str:
    """Remove a field's value and objects that become empty from a body; return its text."""
    path = split_pointer(field.pointer)
    owner = _value_at(rest, path[:-1])
    if not isinstance(owner, dict) or path[-1] not in owner:
        return ""
    text = format_value(field, owner[path[-1]])
    if text:
        _remove(rest, path)
    return text


def _value_at(body: Any, path: list[str]) -> Any:
    """Return the value at a path, None if there is none."""
    for token in path:
        body = body.get(token) if isinstance(body, dict) else None
    return body


def _remove(owner: dict[str, Any], path: list[str]) -> None:
    key, *inner = path
    if inner:
        _remove(owner[key], inner)
    if not inner or not owner[key]:
        del owner[key]


def _put(owner: dict[str, Any], path: list[str], value: Json) -> None:
    for token in path[:-1]:
        owner = owner.setdefault(token, {})
    owner[path[-1]] = value


def _shorten(body: dict[str, Any], key: str) -> None:
    """Replace an object that only has a kind or tag with that name."""
    match body.get(key):
        case {"kind": name, **others} | {"tag": name, **others} if not others:
            body[key] = name


def _merge(
    body: dict[str, Any], rest: Mapping[str, Any], pointer: str, faults: list[Fault]
) -> None:
    """Merge the values in JSON into the values of fields."""
    for key, value in rest.items():
        member_pointer = child(pointer, key)
        if key not in body:
            body[key] = value
        elif isinstance(body[key], dict) and isinstance(value, dict):
            _merge(body[key], value, member_pointer, faults)
        else:
            message = "this is stated twice, in a field and in the JSON"
            faults.append(Fault(member_pointer, "VALUE_INVALID", message, "only one of them"))
