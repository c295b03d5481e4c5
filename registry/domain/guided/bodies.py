"""From what is typed to a body, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Fault, refuse_all
from registry.domain.guided import devices
from registry.domain.guided.fields import REST, Field, Role, Start, Widget
from registry.domain.guided.values import Unreadable, dumped, read, tidy, write
from registry.domain.pointer import ROOT, child, tokens

WORDED = (Widget.COMPONENT, Widget.TARGET)


def typed(body: Json, start: Start) -> dict[str, str]:
    """The texts that state a body of this start: by field, and in JSON what no field can hold."""
    left: Any = _copied(body) if isinstance(body, dict) else {}
    if start.role is Role.KIND and left.get("kind") == start.kind:
        del left["kind"]
    found: dict[str, str] = {}
    for field in start.fields.values():
        if field.widget is Widget.DEVICES:
            found |= devices.take(left)
        elif field.pointer != ROOT:
            text = _word(field, left) if field.widget in WORDED else _taken(field, left)
            found |= {field.pointer: text} if text else {}
    if left:
        found[ROOT] = dumped(_copied(left, sort_keys=True))  # in whatever order it was merged
    return found


def _copied(value: Json, *, sort_keys: bool = False) -> Any:
    """The same value, of which no part stands in two places."""
    return json.loads(json.dumps(value, sort_keys=sort_keys))


def body(typed: Mapping[str, str], start: Start) -> dict[str, Any]:
    """The body that texts state. Raises `Refused` (BODY_INVALID): what cannot be read, by field.

    It is a body of the start, and need not be valid.
    """
    faults: list[Fault] = []
    rest = _rest(typed, faults)
    found: dict[str, Any] = {}
    for field in start.fields.values():
        text = tidy(typed.get(field.pointer, ""))
        if field.widget is Widget.DEVICES:
            given = devices.given(typed, faults)
            found |= {devices.DEVICES: given} if given else {}
        elif text and field.pointer != ROOT:
            try:
                _put(found, _path(field, text), read(field, text))
            except Unreadable as wrong:
                faults.append(wrong.fault)
    for field in start.fields.values():
        if field.widget in WORDED and field.label not in rest:
            _shorten(found, field.label)
    _merge(found, rest, ROOT, faults)
    refuse_all(faults)
    return _with_kind(found, start)


def _with_kind(found: dict[str, Any], start: Start) -> dict[str, Any]:
    """A body that states the start's kind, unless its JSON states another."""
    if start.role is not Role.KIND or "kind" in found:
        return found
    return {"kind": start.kind, **found}


def _rest(typed: Mapping[str, str], faults: list[Fault]) -> dict[str, Any]:
    text = tidy(typed.get(ROOT, ""))
    if not text:
        return {}
    try:
        value = read(REST, text)
    except Unreadable as wrong:
        faults.append(wrong.fault)
        return {}
    if isinstance(value, dict):
        return value
    faults.append(Fault(ROOT, "VALUE_TYPE", "this is no JSON object", "an object, in { and }"))
    return {}


def _word(field: Field, left: dict[str, Any]) -> str:
    """Take out of a body what a component or target is called; of an object, what it is."""
    value = left.get(field.label)
    if isinstance(value, str):
        return _taken(field, left)
    if not isinstance(value, dict):
        return ""
    for key in ("tag", "kind"):
        word = value.get(key)
        if isinstance(word, str) and _key(field, word) == key and (text := write(field, word)):
            del value[key]  # and leave the object, even if empty: it was no word
            return text
    return ""


def _key(field: Field, word: str) -> str:
    """What a word stands for where options stand beside it: a reference has a slash."""
    return "tag" if field.widget is Widget.TARGET and "/" in word else "kind"


def _path(field: Field, text: str) -> list[str]:
    path = tokens(field.pointer)
    return [*path, _key(field, text)] if field.widget in WORDED else path


def _taken(field: Field, left: dict[str, Any]) -> str:
    """Take a field's value out of a body, with the objects that are empty then; its text."""
    owner: Any = left
    path = tokens(field.pointer)
    for token in path[:-1]:
        owner = owner.get(token) if isinstance(owner, dict) else None
    if not isinstance(owner, dict) or path[-1] not in owner:
        return ""
    text = write(field, owner[path[-1]])
    if text:
        _remove(left, path)
    return text


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


def _shorten(found: dict[str, Any], key: str) -> None:
    """Write an object that says what it is and no more as that word."""
    match found.get(key):
        case {"kind": word, **others} | {"tag": word, **others} if not others:
            found[key] = word


def _merge(
    found: dict[str, Any], rest: Mapping[str, Any], pointer: str, faults: list[Fault]
) -> None:
    """Add what stands in JSON to what fields state."""
    for key, value in rest.items():
        place = child(pointer, key)
        if key not in found:
            found[key] = value
        elif isinstance(found[key], dict) and isinstance(value, dict):
            _merge(found[key], value, place, faults)
        else:
            message = "this is stated twice, in a field and in the JSON for anything else"
            faults.append(Fault(place, "VALUE_INVALID", message, "one of them"))
