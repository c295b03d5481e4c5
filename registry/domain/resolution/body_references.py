"""Collect the references that a body contains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.reference import Reference
from registry.domain.resolution.composition import Position
from ttag_rules.names import EXPECTED
from ttag_rules.nodes import APPEND, REMOVE, is_edit
from ttag_rules.pointer import ROOT, child

MAX_REFERENCES = 512  # in one body
MAX_DISTINCT = 64  # different ones in a body


class Relation(StrEnum):
    """The way in which a version uses another."""

    INHERITS = "inherits"
    COMPOSES = "composes"


@dataclass(frozen=True, slots=True)
class BodyReference:
    """A reference in a body, at the pointer of the string or object that contains it."""

    pointer: str
    reference: Reference
    relation: Relation


def body_references(body: Json) -> tuple[BodyReference, ...]:
    """Return every reference in a body. Raises `Refused` for invalid or too many references."""
    if not isinstance(body, dict):
        fault = Fault(ROOT, Code.BODY_INVALID, "a body is a JSON object", "an object", echo(body))
        refuse_all([fault])
    references: list[BodyReference] = []
    faults: list[Fault] = []
    for pointer, name, relation in _names(body, Position.TARGET, ROOT):
        try:
            if not isinstance(name, str) or "/" not in name:
                raise Refused(
                    Code.REFERENCE_INVALID,
                    "A parent is named by a reference, in a string or a list of strings.",
                )
            if "#" in name:
                raise Refused(
                    Code.REFERENCE_INVALID,
                    f"Nodes are not parents: {echo(name)} names a node of a target with its #, and "
                    "a body uses whole targets.",
                )
            references.append(BodyReference(pointer, Reference.parse(name), relation))
        except Refused as refusal:
            faults.append(Fault(pointer, refusal.code, refusal.detail, EXPECTED, echo(name)))
    refuse_all(faults)
    _check_counts(references)
    return tuple(references)


def _check_counts(references: list[BodyReference]) -> None:
    distinct = len({str(reference.reference) for reference in references})
    if len(references) > MAX_REFERENCES or distinct > MAX_DISTINCT:
        raise Refused(
            Code.TOO_LARGE,
            f"{len(references)} references to {distinct} versions are too many: a body has at most "
            f"{MAX_REFERENCES}, to at most {MAX_DISTINCT}.",
        )


def _names(value: Any, position: Position, pointer: str) -> Iterator[tuple[str, Any, Relation]]:
    """Yield the pointer, text and relation of everything that names a target."""
    if position is Position.TARGET and isinstance(value, str) and "/" in value:
        yield pointer, value, Relation.COMPOSES
    elif isinstance(value, dict):
        if position is Position.TARGET and "tag" in value and not is_edit(value):
            for name in parent_names(value["tag"]):
                yield pointer, name, Relation.INHERITS
        for key, item in value.items():
            inside = position if key in (APPEND, REMOVE) else position.inside(key)
            if inside in (Position.TARGET, Position.DEVICES):
                yield from _names(item, inside, child(pointer, key))
    elif isinstance(value, list) and position is Position.DEVICES:
        for index, item in enumerate(value):
            yield from _names(item, Position.TARGET, child(pointer, index))


def parent_names(names: Any) -> list[Any]:
    """Return the value of `tag` as a list."""
    return names if isinstance(names, list) and names else [names]
