"""Complete a reading by the machine that the text names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from registry.domain.document import is_same_json
from registry.domain.identify.readings import Fact, Reading
from registry.domain.identify.relation import Related
from ttag_rules.pointer import child, look_up, split_pointer

DECIDING = ("kind", "arch", "mcpu", "mtriple", "num-cores")  # which code runs on a machine


def completed(reading: Reading, machines: Sequence[tuple[Mapping[str, Any], Related]]) -> Reading:
    """Return a reading with the deciding values that all tags of its name have, as inferred.

    Each tag comes as its target with its relation. The places are those of the name in the text.
    """
    first, *others = [look_up(target, related.node) for target, related in machines]
    added = {
        name: first[name]
        for name in DECIDING
        if name in first
        and name not in reading.body
        and all(is_same_json(node.get(name), first[name]) for node in others)
    }
    if not added:
        return reading
    place = next(
        ((fact.start, fact.end) for fact in reading.facts if fact.pointer == "/hardware/model"),
        (reading.recognised[0].start, reading.recognised[0].end) if reading.recognised else (0, 0),
    )
    body = {**added, **reading.body}
    body = ({"kind": body["kind"]} if "kind" in body else {}) | body
    facts = (*reading.facts, *(Fact(child("", name), *place, "inferred") for name in added))
    order = list(body)
    in_order = sorted(facts, key=lambda fact: order.index(split_pointer(fact.pointer)[0]))
    return replace(reading, body=body, facts=tuple(in_order))
