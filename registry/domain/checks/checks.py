"""Check that every node of a target matches its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from registry.domain.checks.cross_option_rules import rule_faults
from registry.domain.checks.unsafe_text import text_faults
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, echo, refuse_all
from registry.domain.kinds.kinds import (
    EXECUTOR,
    FLOW,
    HARDWARE,
    RUNTIME,
    SINGLE_KINDS,
    TARGET,
    Kind,
    Kinds,
)
from registry.domain.resolution.composition import is_mixin
from registry.domain.resolution.provenance_tree import Origin
from registry.domain.tvm.name_hints import add_option_hints, unknown_kind
from ttag_rules.nodes import COMPOSITES, STRUCTURE, Node, devices, is_edit, nodes
from ttag_rules.pointer import ROOT, child

MAX_FAULTS_TRIED = 200  # faults of one check; after that, no further kinds are tried for a patch
LABEL = re.compile(r"[a-z][a-z0-9_-]{0,31}")
RESERVED_LABELS = frozenset({"kind", "tag"})  # with these, the labels would read as a target
EXPECTED_LABEL = (
    "a label of 1 to 32 lowercase letters, digits, _ and -, which starts with a letter and is "
    "neither kind nor tag"
)


def check_target(
    target: Json, kinds: Kinds, provenance: Mapping[str, Origin] | None = None
) -> frozenset[str]:
    """Check a resolved target, or a mixin's patch; return the names of the kinds that it matches.

    For a mixin's root, these are all kinds under which it is valid. Raises `Refused` with every
    fault of an option or its text or, if there is none, every fault from the rules across options.
    Faults of inherited text name the version that `provenance` says has set it.
    """
    matched_kinds, faults = _match(target, kinds)
    unsafe = {fault.pointer: fault for fault in text_faults(target, kinds, provenance)}
    refuse_all(_with_text_faults(faults, unsafe))
    if not is_mixin(target):
        refuse_all(fault for node in nodes(target) for fault in rule_faults(node))
    return matched_kinds


def matching_kinds(target: Json, kinds: Kinds) -> frozenset[str]:
    """Return the names of the kinds that a stored target matches, as `check_target` does.

    Raises `Refused` with every fault from the schemas. Rules that do not depend on a kind's
    revision are left out, because an older version may break them.
    """
    matched_kinds, faults = _match(target, kinds)
    refuse_all(faults)
    return matched_kinds


def _match(target: Json, kinds: Kinds) -> tuple[frozenset[str], list[Fault]]:
    checker = _Checker(kinds)
    checker.node(target, ROOT, editing=is_mixin(target))
    return frozenset(checker.matched_kinds), checker.faults


def _with_text_faults(faults: list[Fault], unsafe: dict[str, Fault]) -> Iterator[Fault]:
    """Yield the faults from the schemas and those of texts, one for each pointer.

    The latter say more than a schema that finds a text of the wrong form.
    """
    for fault in faults:
        text_fault = unsafe.pop(fault.pointer, fault)
        yield text_fault if fault.code == "VALUE_PATTERN" else fault
    yield from unsafe.values()


def mixin_kinds(target: Json, kinds: Kinds) -> tuple[str, ...]:
    """Return the kinds under which a mixin's patch is valid at its root, by name."""
    assert isinstance(target, dict)  # noqa: S101 - bodies are objects
    return tuple(name for name, kind in sorted(kinds.targets.items()) if _accepts(kind, target))


@dataclass(slots=True)
class _Checker:
    kinds: Kinds
    faults: list[Fault] = field(default_factory=list)
    matched_kinds: set[str] = field(default_factory=set)

    def node(self, value: Any, pointer: str, *, editing: bool) -> None:
        """Check a target, or if `editing` a patch of one; `editing` ends where a kind is stated."""
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", "a target", value)
            return
        editing = editing and "kind" not in value
        if editing:
            self._check_patch(value, pointer)
        else:
            self._check_with_kind(value, pointer)
        for key, check_part in self._parts().items():
            if key in value and not (editing and value[key] is None):
                check_part(value[key], child(pointer, key), editing)

    def _parts(self) -> dict[str, Any]:
        return {
            "host": lambda value, pointer, editing: self.node(value, pointer, editing=editing),
            "devices": self._check_devices,
            EXECUTOR: lambda *place: self._check_component(EXECUTOR, *place),
            RUNTIME: lambda *place: self._check_component(RUNTIME, *place),
            FLOW: lambda *place: self._check_single(FLOW, *place),
            HARDWARE: lambda *place: self._check_single(HARDWARE, *place),
        }

    def _check_with_kind(self, value: dict[str, Any], pointer: str) -> None:
        kind = self._look_up_kind(self.kinds.targets, value, pointer, "kind")
        if kind is None:
            return
        own = Node(pointer, value).own
        self.faults += add_option_hints(kind.faults(own, pointer), kind.options)
        self.faults += _device_faults(kind.word, value, pointer, editing=False)

    def _check_patch(self, value: dict[str, Any], pointer: str) -> None:
        """Accept a patch that matches one kind; otherwise report the faults of the nearest ones."""
        kinds = self.kinds.targets.values()
        if not kinds:
            if Node(pointer, value).own:
                self._refuse_unchecked(pointer, TARGET)
            return
        matching = {kind.name for kind in kinds if _accepts(kind, value)}
        self.matched_kinds |= matching
        if not matching:
            unknown = [sum(not _has_member(kind, name) for name in value) for kind in kinds]
            nearest_kinds = [
                kind for kind, count in zip(kinds, unknown, strict=True) if count == min(unknown)
            ]
            self.faults += _fewest(self._try_kinds(nearest_kinds, value, pointer))

    def _try_kinds(
        self, kinds: Iterable[Kind], value: dict[str, Any], pointer: str
    ) -> Iterator[list[Fault]]:
        """Yield a patch's faults under one kind after another, until there are enough."""
        count = len(self.faults)
        for kind in kinds:
            faults = _patch_faults(kind, value, pointer)
            yield faults
            count += len(faults)
            if count > MAX_FAULTS_TRIED:
                return

    def _check_devices(self, value: Any, pointer: str, editing: bool) -> None:
        if editing and is_edit(value):
            for place, device in devices(value, pointer):
                self.node(device, place, editing=False)
            return
        if not isinstance(value, dict | list):
            self._fault(pointer, "VALUE_TYPE", "a list of targets, or an object of them", value)
            return
        for place, device in devices(value, pointer):
            if not (editing and device is None):
                self.node(device, place, editing=editing and isinstance(value, dict))
        for label in value if isinstance(value, dict) else ():
            if not LABEL.fullmatch(label) or label in RESERVED_LABELS:
                self._fault(child(pointer, label), "LABEL_INVALID", EXPECTED_LABEL, label)

    def _check_component(self, role: str, value: Any, pointer: str, editing: bool) -> None:
        components = self.kinds.components(role)
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", f"a name or an object for the {role}", value)
        elif editing and "kind" not in value and not components:
            self._refuse_unchecked(pointer, role)
        elif editing and "kind" not in value:
            faults_by_kind = {
                kind.name: kind.patch_faults(value, pointer) for kind in components.values()
            }
            self.matched_kinds |= {name for name, faults in faults_by_kind.items() if not faults}
            if all(faults_by_kind.values()):
                self.faults += _fewest(faults_by_kind.values())
        elif kind := self._look_up_kind(components, value, pointer, role):
            self.faults += kind.faults(value, pointer)

    def _check_single(self, name: str, value: Any, pointer: str, editing: bool) -> None:
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", "an object", value)
            return
        kind = self.kinds.get(name)
        if kind is None:
            self._refuse_unchecked(pointer, name)
            return
        self.matched_kinds.add(name)
        self.faults += kind.patch_faults(value, pointer) if editing else kind.faults(value, pointer)

    def _refuse_unchecked(self, pointer: str, role: str) -> None:
        """Report options that no kind describes, as before a catalogue was loaded."""
        name = role if role in SINGLE_KINDS else f"of the role {role}"
        message = f"the registry has no kind {name}, which describes these options"
        self.faults.append(Fault(pointer, Code.KIND_UNKNOWN, message, f"no {role}", role))

    def _look_up_kind(
        self, kinds: Mapping[str, Kind], value: dict[str, Any], pointer: str, role: str
    ) -> Kind | None:
        if "kind" not in value:
            self.faults.append(
                Fault(pointer, "OPTION_MISSING", f"no {role} is stated", f"a known {role}")
            )
            return None
        word = value["kind"]
        if isinstance(word, str) and word in kinds:
            self.matched_kinds.add(kinds[word].name)
            return kinds[word]
        self.faults.append(unknown_kind(role, word, child(pointer, "kind"), kinds))
        return None

    def _fault(self, pointer: str, code: str, expected: str, value: object) -> None:
        text = echo(value)
        self.faults.append(Fault(pointer, code, f"{text} is not {expected}", expected, text))


def _fewest(candidates: Iterable[list[Fault]]) -> list[Fault]:
    """Return the shortest list of faults; among equals, the one with the most suggestions."""
    return min(
        candidates, key=lambda faults: (len(faults), -sum(bool(f.suggestions) for f in faults))
    )


def _has_member(kind: Kind, name: str) -> bool:
    """Return whether nodes of a kind can have a member of this name, an option or structure."""
    if name == "devices":
        return kind.word in COMPOSITES
    return name in STRUCTURE or kind.option(name) is not None


def _accepts(kind: Kind, value: dict[str, Any]) -> bool:
    """Return whether `_patch_faults` would be empty."""
    own = Node(ROOT, value).own
    return kind.accepts_patch(own) and not _device_faults(kind.word, value, ROOT, editing=True)


def _patch_faults(kind: Kind, value: dict[str, Any], pointer: str) -> list[Fault]:
    own = Node(pointer, value).own
    faults = add_option_hints(kind.patch_faults(own, pointer), kind.options)
    return faults + _device_faults(kind.word, value, pointer, editing=True)


def _device_faults(kind: str, value: dict[str, Any], pointer: str, *, editing: bool) -> list[Fault]:
    if kind in COMPOSITES and not editing and not value.get("devices"):
        message, expected = f"a {kind} has at least one device", "a list of targets, or an object"
        fault = Fault(pointer, "OPTION_MISSING", message, f"devices: {expected} of them by label")
        if "devices" in value:
            text, place = echo(value["devices"]), child(pointer, "devices")
            fault = replace(fault, pointer=place, message=f"{message}, not {text}", found=text)
        return [fault]
    if kind not in COMPOSITES and "devices" in value:
        devices_pointer = child(pointer, "devices")
        return [
            Fault(
                devices_pointer, "OPTION_UNKNOWN", f"{kind} has no devices", "a composite or byoc"
            )
        ]
    return []
