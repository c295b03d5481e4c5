"""Places of the values of a body in the text that they were read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from registry.domain.document import Json
from registry.domain.identify.fields import Block, Field
from registry.domain.identify.readings import Fact, Recognised
from ttag_rules.pointer import ROOT, child

Evidence = Mapping[str, tuple[str, ...]]  # names of fields, the best first, by pointer


def leaves(value: Any, pointer: str = ROOT) -> Iterator[tuple[str, Json]]:
    """Yield the values of a body with their pointers; a list is one value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, child(pointer, name))
    else:
        yield pointer, value


def facts_of_block(body: dict[str, Any], block: Block, evidence: Evidence) -> tuple[Fact, ...]:
    """Return a fact for each value of a body: at the field that says it, else at the block."""
    return tuple(
        _fact(pointer, value, block, block.find(*evidence.get(pointer, ())))
        for pointer, value in leaves(body)
    )


def _fact(pointer: str, value: Json, block: Block, field: Field | None) -> Fact:
    if field is None:
        return Fact(pointer, block.start, block.end, "inferred")
    is_stated = isinstance(value, str | int) and str(value) in field.value
    return Fact(pointer, field.start, field.end, "text" if is_stated else "inferred")


def facts_of_span(body: dict[str, Any], text: str, form: Recognised) -> tuple[Fact, ...]:
    """Return a fact for each value: where its text stands within a form, else the whole form."""
    span = text[form.start : form.end]
    facts = []
    for pointer, value in leaves(body):
        at = span.find(str(value)) if isinstance(value, str | int) and value != "" else -1
        if at < 0:
            facts.append(Fact(pointer, form.start, form.end, "inferred"))
        else:
            start = form.start + at
            facts.append(Fact(pointer, start, start + len(str(value))))
    return tuple(facts)
