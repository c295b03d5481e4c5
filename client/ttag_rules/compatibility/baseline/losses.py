"""The features of code that count when a machine has them and the code does not use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.compatibility.baseline.machines import usable
from ttag_rules.compatibility.relation import Parts
from ttag_rules.compatibility.tables import Features, Tables


def code_features(target: Mapping[str, Any], tables: Tables) -> Features:
    """Return the features of a target's code that programs use; none without a processor."""
    programs = Parts.of(target, tables).programs
    if not programs:
        return frozenset()
    table, features = programs[0].instruction_set, programs[0].features()
    return usable(table, features) if table and features is not None else frozenset()
