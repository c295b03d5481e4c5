"""Typed members of the JSON that a registry sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from ttag.errors import Unreachable

T = TypeVar("T")


def read(build: Callable[[Any], T], answer: Any, source: str, what: str) -> T:
    """Return what `build` makes of JSON. Raises `Unreachable` if it is not of that form.

    `source` and `what` say in the error who sent it, and what was expected.
    """
    try:
        return build(answer)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreachable(f"{source} sent something that is not {what}.") from error


def text(value: Any) -> str:
    """Return text, or nothing for null. Raises `TypeError` for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """Return a list of text. Raises `TypeError` for anything else."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return tuple(map(text, value))


READERS: dict[object, Callable[[Any], Any]] = {  # by the annotation of a field
    "str": text,
    "int": int,
    "bool": bool,
    "tuple[str, ...]": texts,
}


def members(form: Callable[..., T], answer: Any, **others: Any) -> T:
    """Return an object of a dataclass, from the members of JSON with the names of its fields.

    `others` are the fields that JSON has under another name, in another form, or not always.
    """
    dataclass: Any = form
    own = [field for field in fields(dataclass) if field.name not in others]
    return form(**{field.name: READERS[field.type](answer[field.name]) for field in own}, **others)
