"""Complete a reading by the machine that the text names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from registry.domain.identify.readings import Fact, Reading
from registry.domain.identify.relation import Related
from registry.domain.pointer import child, look_up

DECIDING = ("kind", "arch", "mcpu", "mtriple", "num-cores")  # which code runs on a machine


def completed(reading: Reading, target: Mapping[str, Any], related: Related) -> Reading:
    """Return a reading with the deciding values of the tag that its name stands for, as inferred.

    The places are those of the name in the text.
    """
    node = look_up(target, related.node)
    added = {name: node[name] for name in DECIDING if name in node and name not in reading.body}
    if not added:
        return reading
    place = next(
        ((fact.start, fact.end) for fact in reading.facts if fact.pointer == "/hardware/model"),
        (reading.recognised[0].start, reading.recognised[0].end) if reading.recognised else (0, 0),
    )
    facts = tuple(Fact(child("", name), *place, "inferred") for name in added)
    return replace(reading, body={**added, **reading.body}, facts=(*facts, *reading.facts))
