"""Corrects lists of features that compilers accept but the registry does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.tvm.source_locations import Findings
from ttag_rules.pointer import child

FEATURES, CPU = "mattr", "mcpu"
UNSIGNED = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
TARGET_ID = re.compile(r"(gfx[0-9a-f]+)((?::[a-z0-9-]+[+-])+)")  # of AMD: a CPU and its features
TARGET_ID_FEATURE = re.compile(r":([a-z0-9-]+)([+-])")
LIKE_TARGET_ID = re.compile(r"gfx[^:]*:")


def correct_features(value: Json, pointer: str, findings: Findings) -> Json:
    """Return a list of features in which each is switched on or off; note what was changed."""
    if not isinstance(value, list):
        return value
    features = list(_corrected(value, pointer, findings))
    return [feature for feature in features if feature != ""]


def _corrected(items: list[Json], pointer: str, findings: Findings) -> Iterator[Json]:
    for index, item in enumerate(items):
        place = child(pointer, index)
        if isinstance(item, str) and UNSIGNED.fullmatch(item):
            findings.note(place, f"the feature {echo(item)} is switched on: +{echo(item)}")
            yield f"+{item}"
            continue
        if item == "":
            findings.note(place, "left out an empty feature")
        yield item


def split_target_id(node: dict[str, Any], pointer: str, findings: Findings) -> None:
    """Split an AMD target ID in a node, such as gfx90a:xnack-, into its CPU and features."""
    cpu, stated = node.get(CPU), node.get(FEATURES, [])
    if not isinstance(cpu, str) or not LIKE_TARGET_ID.match(cpu):
        return
    place = child(pointer, CPU)
    match = TARGET_ID.fullmatch(cpu)
    if not match or not isinstance(stated, list):
        message = f"{echo(cpu)} is not an AMD target ID"
        expected = "a CPU and features that are switched on or off, such as gfx90a:sramecc+:xnack-"
        findings.report(Fault(place, "VALUE_INVALID", message, expected, echo(cpu)))
        return
    features = [f"{sign}{name}" for name, sign in TARGET_ID_FEATURE.findall(match[2])]
    node[CPU] = match[1]
    node[FEATURES] = [*features, *stated]
    findings.note(
        place, f"the AMD target ID is the CPU {match[1]} with the features {', '.join(features)}"
    )
