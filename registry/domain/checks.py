"""Stages 4 and 5 of checking a body: every node fits its kind, and the kinds fit each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.composition import (
    COMPOSITES,
    STRUCTURE,
    Node,
    devices,
    is_edit,
    is_mixin,
    nodes,
)
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, echo, refuse_all
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.near import nearest
from registry.domain.pointer import ROOT, child

ENOUGH = 200  # faults of one check; past them no kind is sought that fits a patch better
LABEL = re.compile(r"[a-z][a-z0-9_-]{0,31}")
NOT_LABELS = frozenset({"kind", "tag"})  # they would make of the labels a target


def check(target: Json, kinds: Kinds) -> frozenset[str]:
    """Check a resolved target, or a mixin's patch; return the names of the kinds it fits.

    Of a mixin's root these are all the kinds under which it is valid. Raises `Refused` with every
    fault of the schemas, or else with every fault of the rules across options.
    """
    checking = _Checking(kinds)
    checking.node(target, ROOT, editing=is_mixin(target))
    refuse_all(checking.faults)
    if not is_mixin(target):
        refuse_all(fault for node in nodes(target) for fault in _rules(node))
    return frozenset(checking.fits)


def mixin_kinds(target: Json, kinds: Kinds) -> tuple[str, ...]:
    """The kinds under which a mixin's patch is valid at its root, by name."""
    assert isinstance(target, dict)  # noqa: S101 - bodies are objects
    return tuple(name for name, kind in sorted(kinds.targets.items()) if _accepts(kind, target))


@dataclass(slots=True)
class _Checking:
    kinds: Kinds
    faults: list[Fault] = field(default_factory=list)
    fits: set[str] = field(default_factory=set)

    def node(self, value: Any, pointer: str, *, editing: bool) -> None:
        """A target, or where `editing` a patch of one; `editing` ends where a kind is stated."""
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", "a target", value)
            return
        editing = editing and "kind" not in value
        if editing:
            self._kindless(value, pointer)
        else:
            self._of_kind(value, pointer)
        for key, check_part in self._parts().items():
            if key in value and not (editing and value[key] is None):
                check_part(value[key], child(pointer, key), editing)

    def _parts(self) -> dict[str, Any]:
        return {
            "host": lambda value, pointer, editing: self.node(value, pointer, editing=editing),
            "devices": self._devices,
            EXECUTOR: lambda *place: self._component(EXECUTOR, *place),
            RUNTIME: lambda *place: self._component(RUNTIME, *place),
            FLOW: lambda *place: self._single(FLOW, *place),
            HARDWARE: lambda *place: self._single(HARDWARE, *place),
        }

    def _of_kind(self, value: dict[str, Any], pointer: str) -> None:
        kind = self._known(self.kinds.targets, value, pointer, "kind")
        if kind is None:
            return
        own = Node(pointer, value).own
        self.faults += kind.faults(own, pointer)
        self.faults += _device_faults(kind.word, value, pointer, editing=False)

    def _kindless(self, value: dict[str, Any], pointer: str) -> None:
        """A patch fits if it fits one kind; else its faults are those for the nearest kind."""
        known = self.kinds.targets.values()
        fitting = {kind.name for kind in known if _accepts(kind, value)}
        self.fits |= fitting
        if known and not fitting:
            foreign = [sum(not _knows(kind, name) for name in value) for kind in known]
            near = [
                kind for kind, count in zip(known, foreign, strict=True) if count == min(foreign)
            ]
            self.faults += _fewest(self._tried(near, value, pointer))

    def _tried(
        self, known: Iterable[Kind], value: dict[str, Any], pointer: str
    ) -> Iterator[list[Fault]]:
        """A patch's faults under one kind after the other, until there were enough."""
        count = len(self.faults)
        for kind in known:
            faults = _patch_faults(kind, value, pointer)
            yield faults
            count += len(faults)
            if count > ENOUGH:
                return

    def _devices(self, value: Any, pointer: str, editing: bool) -> None:
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
            if not LABEL.fullmatch(label) or label in NOT_LABELS:
                self._fault(
                    child(pointer, label),
                    "LABEL_INVALID",
                    "a label of 1 to 32 lower-case letters, digits, _ and -, first a letter, "
                    "neither kind nor tag",
                    label,
                )

    def _component(self, role: str, value: Any, pointer: str, editing: bool) -> None:
        known = self.kinds.components(role)
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", f"a word or an object for the {role}", value)
        elif editing and "kind" not in value:
            tried = {kind.name: kind.patch_faults(value, pointer) for kind in known.values()}
            self.fits |= {name for name, faults in tried.items() if not faults}
            if tried and all(tried.values()):
                self.faults += _fewest(tried.values())
        elif kind := self._known(known, value, pointer, role):
            self.faults += kind.faults(value, pointer)

    def _single(self, name: str, value: Any, pointer: str, editing: bool) -> None:
        if not isinstance(value, dict):
            self._fault(pointer, "VALUE_TYPE", "an object", value)
            return
        self.fits.add(name)
        kind = self.kinds[name]
        self.faults += kind.patch_faults(value, pointer) if editing else kind.faults(value, pointer)

    def _known(
        self, known: Mapping[str, Kind], value: dict[str, Any], pointer: str, what: str
    ) -> Kind | None:
        if "kind" not in value:
            self.faults.append(
                Fault(pointer, "OPTION_MISSING", f"it does not say its {what}", f"a known {what}")
            )
            return None
        word = value["kind"]
        if isinstance(word, str) and word in known:
            self.fits.add(known[word].name)
            return known[word]
        near = nearest(word, known) if isinstance(word, str) else ()
        self.faults.append(
            Fault(
                child(pointer, "kind"),
                Code.KIND_UNKNOWN,
                f"{echo(word)} is no known {what}",
                "one of " + ", ".join(sorted(known)),
                echo(word),
                near,
            )
        )
        return None

    def _fault(self, pointer: str, code: str, expected: str, found: object) -> None:
        shown = echo(found)
        self.faults.append(Fault(pointer, code, f"{shown} is not {expected}", expected, shown))


def _fewest(tried: Iterable[list[Fault]]) -> list[Fault]:
    """The faults for the kind that a patch fits best; of equals, where more names are near."""
    return min(tried, key=lambda faults: (len(faults), -sum(bool(f.suggestions) for f in faults)))


def _knows(kind: Kind, name: str) -> bool:
    """Whether a node of a kind has something of this name, its own option or structure."""
    if name == "devices":
        return kind.word in COMPOSITES
    return name in STRUCTURE or kind.option(name) is not None


def _accepts(kind: Kind, value: dict[str, Any]) -> bool:
    """Whether `_patch_faults` has none to tell."""
    own = Node(ROOT, value).own
    return kind.accepts_patch(own) and not _device_faults(kind.word, value, ROOT, editing=True)


def _patch_faults(kind: Kind, value: dict[str, Any], pointer: str) -> list[Fault]:
    own = Node(pointer, value).own
    return kind.patch_faults(own, pointer) + _device_faults(kind.word, value, pointer, editing=True)


def _device_faults(kind: str, value: dict[str, Any], pointer: str, *, editing: bool) -> list[Fault]:
    if kind in COMPOSITES and not editing and not value.get("devices"):
        return [
            Fault(
                pointer,
                "OPTION_MISSING",
                f"a {kind} has at least one device",
                "devices: a list of targets, or an object of them by label",
            )
        ]
    if kind not in COMPOSITES and "devices" in value:
        place = child(pointer, "devices")
        return [Fault(place, "OPTION_UNKNOWN", f"{kind} has no devices", "a composite or byoc")]
    return []


def _rules(node: Node) -> list[Fault]:
    """The rules across options (stage 5) that a node itself breaks."""
    host = node.value.get("host")
    found = []
    if isinstance(host, dict) and host.get("kind") in COMPOSITES:
        found.append(
            Fault(
                child(node.pointer, "host"),
                "HOST_NOT_LEAF",
                f"a host is one target: {host['kind']} has several",
                "a target that is neither composite nor byoc",
                str(host["kind"]),
            )
        )
    if EXECUTOR in node.value or RUNTIME in node.value:
        found += _calling_faults(node)
    return found


def _calling_faults(node: Node) -> list[Fault]:
    """What AOT and the runtime under it cannot agree on; each may be stated by a node around."""
    executor, runtime = _nearest(node, EXECUTOR), _nearest(node, RUNTIME)
    unpacked, interface = (
        executor.get("unpacked-api", False),
        executor.get("interface-api", "packed"),
    )
    pointer = child(node.pointer, EXECUTOR if EXECUTOR in node.value else RUNTIME)
    if executor.get("kind") != "aot":
        return []
    if runtime.get("kind") == "crt" and interface == "c" and not unpacked:
        return [
            Fault(
                pointer,
                "CALLS_DISAGREE",
                "AOT on crt with interface-api c calls operators unpacked",
                "unpacked-api: true, or interface-api: packed",
                "unpacked-api false",
            )
        ]
    if runtime.get("kind") == "cpp" and (unpacked or interface != "packed"):
        return [
            Fault(
                pointer,
                "CALLS_DISAGREE",
                "AOT on cpp takes packed calls only",
                "interface-api: packed and unpacked-api: false",
                f"interface-api {interface}, unpacked-api {echo(unpacked)}",
            )
        ]
    return []


def _nearest(node: Node, role: str) -> dict[str, Any]:
    for around in (node, *node.encloses):
        if role in around.value:
            found: dict[str, Any] = around.value[role]
            return found
    return {}
