"""Check every string of a target before it reaches a compiler.

A kind's schema says which options and types a node has; this says what its strings may hold. It
does not depend on the revision of a kind, so it holds for all of them, and versions that were
published before can be compared with it: what is refused in a body is a lint of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from registry.domain.checks.feature_signs import sign_faults
from registry.domain.checks.llvm_options import compiler_option_faults
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME, Kind, Kinds
from registry.domain.kinds.option_patterns import PATTERNS, Pattern, chosen_pattern, named_pattern
from registry.domain.names.near_names import nearest_names
from registry.domain.resolution.provenance_tree import Origin
from ttag_rules.flow_names import current_name
from ttag_rules.llvm_options import PASSING
from ttag_rules.nodes import APPEND, REMOVE, STRUCTURE, Node, is_edit, nodes
from ttag_rules.option_patterns import TABLE
from ttag_rules.pointer import child

TEXT_SETTINGS: Mapping[str, Mapping[str, Any]] = TABLE["settings"]["text"]
UNSAFE_SETTINGS: Mapping[str, str] = TABLE["settings"]["unsafe"]
MEMBER, FEATURES = PATTERNS["word"], PATTERNS["feature"]


def text_faults(
    target: Json, kinds: Kinds, provenance: Mapping[str, Origin] | None = None
) -> Iterator[Fault]:
    """Yield a fault for each string of a resolved target or mixin that must not reach a compiler.

    `provenance` tells which version set a value; the faults of inherited ones name it.
    """
    for node in nodes(target):
        if f"/{REMOVE}/" not in node.pointer:  # what an edit removes reaches no compiler
            for fault in _node_faults(node, kinds):
                yield _with_origin(fault, provenance or {})


def _node_faults(node: Node, kinds: Kinds) -> Iterator[Fault]:
    candidates = _candidates(node.kind, kinds.targets)
    for name, value in node.value.items():
        if name not in STRUCTURE and name != "kind":
            yield from _option_faults(candidates, name, value, child(node.pointer, name))
    for role in (EXECUTOR, RUNTIME):
        component = node.value.get(role)
        if isinstance(component, dict):
            described = _candidates(component.get("kind"), kinds.components(role))
            place = child(node.pointer, role)
            for name, value in component.items():
                if name != "kind":
                    yield from _option_faults(described, name, value, child(place, name))
    flow = node.value.get(FLOW)
    for name, value in flow.items() if isinstance(flow, dict) else ():
        yield from _setting_faults(name, value, child(child(node.pointer, FLOW), name))


def _candidates(word: Json, known: Mapping[str, Kind]) -> tuple[Kind, ...]:
    """Return the kind of a node; for a patch without one, every kind that it may fit."""
    if word:
        return (known[word],) if isinstance(word, str) and word in known else ()
    return tuple(known.values())


def _option_faults(
    candidates: tuple[Kind, ...], name: str, value: Json, pointer: str
) -> Iterator[Fault]:
    """Yield the faults of an option's value: the fewest that a kind with this option finds."""
    if not isinstance(value, str | list | dict):
        return  # it holds no text
    # Decision 097: options that pass text on take a list of ours: LLVM opens files by some.
    if name in PASSING:
        for place, items in _lists(value, pointer):
            yield from compiler_option_faults(name, items, place)
        return
    owners = [kind for kind in candidates if name in kind.options]
    described = [(kind.word, kind.schema["properties"][name]) for kind in owners] or [("", {})]
    faults_by_owner = (
        [*_value_faults(schema, named_pattern(word, name), value, pointer)]
        for word, schema in described
    )
    yield from min(faults_by_owner, key=len)


def _value_faults(schema: Any, pattern: Pattern, value: Json, pointer: str) -> Iterator[Fault]:
    """Yield the faults of all strings in a value, names of members included.

    `pattern` is that of the value around it, for a schema that chooses no other.
    """
    schema = schema if isinstance(schema, dict) else {}
    if value in (*schema.get("enum", ()), schema.get("const")):
        return  # staff listed it
    pattern = chosen_pattern(schema) or pattern
    if isinstance(value, str):
        if fault := pattern.fault(value, pointer):
            yield fault
    elif isinstance(value, dict) and not is_edit(value):
        known = schema.get("properties", {})
        for name, item in value.items():
            place = child(pointer, name)
            if name not in known and (fault := MEMBER.fault(name, place)):
                yield fault
            yield from _value_faults(
                known.get(name, schema.get("additionalProperties")), pattern, item, place
            )
    for place, items in _lists(value, pointer):
        for index, item in enumerate(items):
            yield from _value_faults(schema.get("items"), pattern, item, child(place, index))
        if pattern is FEATURES and items is value:  # in an edit, the last one of a feature counts
            yield from sign_faults(items, place)


def _lists(value: Json, pointer: str) -> Iterator[tuple[str, list[Json]]]:
    """Yield a list with its pointer, or the list that an edit appends."""
    if isinstance(value, dict) and is_edit(value):
        value, pointer = value.get(APPEND), child(pointer, APPEND)
    if isinstance(value, list):
        yield pointer, value


def _setting_faults(name: str, value: Json, pointer: str) -> Iterator[Fault]:
    """Yield the faults of a pass setting: one that may not be set, or text it must not have."""
    reason = UNSAFE_SETTINGS.get(name) or UNSAFE_SETTINGS.get(current_name(name))
    if reason and value not in (False, None):
        message = f"a target must not set {name} to {echo(value)}: {reason}"
        yield Fault(pointer, Code.OPTION_UNSAFE, message, f"no {name}", echo(value))
        return
    texts: list[tuple[str, Json]] = [(pointer, value)]
    for place, items in _lists(value, pointer):
        texts += [(child(place, index), item) for index, item in enumerate(items)]
    for place, text in texts:
        if isinstance(text, str) and (fault := _setting_text_fault(name, text, place)):
            yield fault


def _setting_text_fault(name: str, text: str, pointer: str) -> Fault | None:
    known = TEXT_SETTINGS.get(name)
    if known is None:
        message = f"{echo(text)} is text, and the registry does not know what {echo(name)} does"
        return Fault(
            pointer,
            Code.OPTION_UNSAFE,
            f"{message} with it",
            "true, false or a number",
            echo(text),
            nearest_names(name, TEXT_SETTINGS),
        )
    if "values" not in known:
        return PATTERNS[known["pattern"]].fault(text, pointer)
    if text in known["values"]:
        return None
    expected = "one of " + ", ".join(known["values"])
    message = f"{echo(text) or 'an empty text'} is not {expected}"
    near = nearest_names(text, known["values"])
    return Fault(pointer, "VALUE_UNKNOWN", message, expected, echo(text), near)


def _with_origin(fault: Fault, provenance: Mapping[str, Origin]) -> Fault:
    """Return a fault that names the version which set the value, unless it is the body's own."""
    pointer = fault.pointer
    while pointer and pointer not in provenance:  # a list of scalars is one value
        pointer = pointer.rpartition("/")[0]
    origin = provenance.get(pointer)
    if not origin:
        return fault
    return replace(
        fault,
        message=f"{fault.message}; {origin} states it",
        expected=f"{fault.expected}; or null or $remove, to drop what {origin} states",
    )
