"""The table: what becomes of an option of a kind, for a node in a position.

Kinds have the names that they have in the registry: `llvm`, `executor/aot`, `runtime/cpp`, `flow`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ttag.tvm.accounting.libraries import library
from ttag.tvm.accounting.outcomes import Build, Irrelevant, Lost, Outcome, Rule, Step
from ttag.tvm.accounting.setting_rules import (
    NO_BYOC,
    as_main,
    enable_byoc,
    executor_kind,
    inherent,
    link_params,
    pass_setting,
    runtime_kind,
    system_lib,
)
from ttag.tvm.accounting.target_options import COMMON, target_option
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag_rules.nodes import COMPOSITES

COMPILED = frozenset({Position.MODULE, Position.FUNCTION, Position.VIRTUAL_DEVICE, Position.HOST})
FIXED: Mapping[Position, Outcome] = {
    position: Irrelevant(position.value)
    for position in (Position.IDLE_HOST, Position.PLACED, Position.OVERRIDDEN)
}
PACKED = "code of TVM 0.27 takes packed arguments: remove it"
PLANNED = "TVM 0.27 plans no memory ahead of time by it: remove it"
UNKNOWN = Lost("this release of ttag does not know what TVM does with it: update ttag")

SETTINGS: Mapping[str, Mapping[str, Rule]] = {
    "executor/vm": {"kind": executor_kind},
    "executor/graph": {"kind": executor_kind},
    "executor/aot": {
        "kind": executor_kind,
        "unpacked-api": inherent(False, PACKED),
        "interface-api": inherent("packed", PACKED),
        "workspace-byte-alignment": inherent(None, PLANNED),
        "constant-byte-alignment": inherent(None, PLANNED),
    },
    "runtime/cpp": {"kind": runtime_kind, "system-lib": system_lib},
    "runtime/crt": {"kind": runtime_kind, "system-lib": system_lib},
    "runtime/cuda-graph": {"kind": runtime_kind},
    "flow": {"link-params": link_params, "enable-byoc": enable_byoc},
}


# Decision 130: a value without a row is an error, so that none is ignored in silence.
def outcome(kind: str, option: str, position: Position) -> Outcome | Rule | None:
    """Return the row of an option; None if there is none."""
    component, _, _ = kind.partition("/")
    if component in ("executor", "runtime", "flow"):
        return _setting(kind, component, option, position)
    if kind in COMPOSITES:
        return _group_option(kind, option, position)
    row = library if option == "libs" else target_option(kind, option)
    if row is None or position in COMPILED:
        return row
    if position is Position.UNPLACED:
        return Irrelevant(position.value)
    return FIXED.get(position, Step.CODE_GENERATOR_OPTIONS)


def _setting(kind: str, component: str, option: str, position: Position) -> Outcome | Rule | None:
    row = SETTINGS.get(kind, {}).get(option)
    if row is None and kind == "flow" and "." in option:
        row = pass_setting(option)
    if row is None or position in COMPILED:
        return row
    if position is Position.UNPLACED:
        return as_main(component, option)
    return FIXED.get(position, Step.CODE_GENERATOR_OPTIONS)


def _group_option(kind: str, option: str, position: Position) -> Outcome | Rule | None:
    if (kind, option) == ("byoc", "codegen"):
        return FIXED.get(position, _codegen)
    if option not in COMMON and option != "libs":
        return None
    if position is Position.OFFLOADED:
        return Step.CODE_GENERATOR_OPTIONS
    if option == "kind":
        return Step.STRUCTURE
    if option == "libs" and position is Position.AROUND:
        return library
    return Irrelevant("a composite is not compiled itself, only the nodes in it")


def _codegen(_value: object, _built: BuiltNode, build: Build) -> Outcome:
    return Step.CODE_GENERATOR if build.has_relax else Lost(NO_BYOC)
