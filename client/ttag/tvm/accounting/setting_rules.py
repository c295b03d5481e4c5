"""The rules for executors, runtimes and settings of the flow, by the position of their node."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ttag.tvm.accounting.outcomes import Build, Irrelevant, Lost, Outcome, Rule, Step
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag.tvm.executors import LAST_RELEASE
from ttag_rules.flow_names import current_name

ENTRY = "main"  # the function whose parameters a model's weights are
CUDA_GRAPH = "cuda-graph"
RELAX = "relax."  # the namespace of settings that passes over Relax functions read
# The choices of tvm.compile for a target that states none.
DEFAULTS = {"executor": {"kind": "vm"}, "runtime": {"kind": "cpp"}}
TYPES: Mapping[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "ir.IntImm": (int,)}

WITHOUT_RELAX = Irrelevant("the module has functions for TIR only, which need no executor")
NO_PARAMETERS = Irrelevant("no parameters of these functions are linked")
NOT_RELAX = Irrelevant("it is for Relax functions, and none is compiled here")
NO_BYOC = "a code generator takes parts of Relax functions, and only functions for TIR are here"


def executor_kind(value: Any, _built: BuiltNode, build: Build) -> Outcome:
    """Account for an executor: the mode in which Relax functions are compiled."""
    if value in LAST_RELEASE:
        return _removed(value)
    return Step.EXECUTION_MODE if build.has_relax else WITHOUT_RELAX


def inherent(expected: Any, reason: str) -> Rule:
    """Return the rule for an option with one value that TVM follows, as it does so anyway."""

    def rule(value: Any, _built: BuiltNode, _build: Build) -> Outcome:
        return Step.EXECUTION_MODE if value == expected else Lost(reason)

    return rule


def system_lib(value: Any, _built: BuiltNode, _build: Build) -> Outcome:
    """Account for a request to register functions when a program starts."""
    return Lost("compile makes libraries that are loaded: remove it") if value else Step.RUNTIME


def runtime_kind(value: Any, built: BuiltNode, build: Build) -> Outcome:
    """Account for a runtime; CUDA graphs are a setting of passes over the whole module."""
    if value in LAST_RELEASE:
        return _removed(value)
    if value != CUDA_GRAPH:
        return Step.RUNTIME
    if not build.has_relax:
        return Lost("a CUDA graph records Relax functions, and the module has none")
    if "cuda" not in build.kinds:
        return Lost("nothing is compiled for cuda: remove it")
    if build.main.runtime != CUDA_GRAPH:
        return _of_whole_module(built, build)
    return Step.SETTING


def link_params(value: Any, built: BuiltNode, build: Build) -> Outcome:
    """Account for whether weights become constants: those of the function main."""
    if built.position is Position.HOST:
        return _as_device("link-params", value, built, Step.PARAMETERS)
    if built.position is Position.VIRTUAL_DEVICE:
        if build.main.flow.get("link-params") == value:
            return Step.PARAMETERS
        return _of_whole_module(built, build)
    return Step.PARAMETERS if ENTRY in built.functions else NO_PARAMETERS


def enable_byoc(value: Any, built: BuiltNode, build: Build) -> Outcome:
    """Account for code generators that Relax functions of a node are offered to."""
    if built.position is Position.HOST:
        return _as_device("enable-byoc", value, built, Step.CODE_GENERATOR)
    if built.position is Position.VIRTUAL_DEVICE:
        if build.main.flow.get("enable-byoc") == value:
            return Step.CODE_GENERATOR
        return Lost(
            f"TVM's patterns do not look at virtual devices: compile for {built.name} by itself"
        )
    return Step.CODE_GENERATOR if built.has_relax else Lost(NO_BYOC)


def pass_setting(name: str) -> Rule:
    """Return the rule for a setting of a `PassContext`, by a name that it had in some release."""
    current = current_name(name)

    def rule(value: Any, built: BuiltNode, build: Build) -> Outcome:
        if current not in build.settings:
            near = get_close_matches(current, build.settings, 1)
            hint = f"; did you mean {near[0]}?" if near else ": remove it"
            return Lost(f"a PassContext of TVM 0.27 has no such setting{hint}")
        if not is_accepted(value, build.settings[current]):
            return Lost(f"TVM 0.27 expects {build.settings[current]}")
        if built.position is Position.HOST:
            return _as_device(current, value, built, Step.SETTING)
        if current.startswith(RELAX):
            return _relax_setting(current, value, built, build)
        return Step.SETTING

    return rule


def is_accepted(value: Any, expected: str) -> bool:
    """Return whether a value has a type of TVM's settings that JSON can express."""
    return type(value) in TYPES.get(expected, ())


def as_main(component: str, option: str) -> Rule:
    """Return the rule for a setting of a node that nothing is placed on."""

    def rule(value: Any, built: BuiltNode, build: Build) -> Outcome:
        if value == _value_of_main(component, option, build.main):
            return Irrelevant("nothing is placed on its node, and the module is built with it")
        return Lost(
            f"nothing of the module is placed on its node: annotate functions with {built.name}, "
            "or compile for that"
        )

    return rule


def _value_of_main(component: str, option: str, main: BuiltNode) -> Any:
    if component == "flow":
        return main.flow.get(current_name(option))
    return main.closed.get(component, DEFAULTS[component]).get(option)


def _relax_setting(name: str, value: Any, built: BuiltNode, build: Build) -> Outcome:
    if built.position is not Position.VIRTUAL_DEVICE and not built.has_relax:
        return NOT_RELAX
    if build.main.flow.get(name) != value:
        return _of_whole_module(built, build)
    return Step.SETTING


def _as_device(name: str, value: Any, host: BuiltNode, step: Step) -> Outcome:
    if host.device and host.device.flow.get(name) == value:
        return step
    place = host.device.name if host.device else "the device"
    return Lost(f"TVM lowers kernels and what launches them together: state it at {place}")


def _of_whole_module(built: BuiltNode, build: Build) -> Lost:
    return Lost(
        f"TVM has one such setting for a Relax module, that of {build.main.name}: state it there, "
        f"or compile for {built.name} by itself"
    )


def _removed(kind: str) -> Lost:
    return Lost(f"TVM had {kind} up to {LAST_RELEASE[kind]}: state vm, or aot on the runtime cpp")
