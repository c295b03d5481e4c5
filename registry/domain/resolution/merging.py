"""Merge a body: resolve references, apply overrides and track the origin of every value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.resolution.body_references import Relation, parent_names
from registry.domain.resolution.composition import Position, is_mixin
from registry.domain.resolution.overrides import WHOLE_POSITIONS, apply_override
from registry.domain.resolution.provenance_tree import (
    OWN,
    Branch,
    DeviceList,
    Edit,
    Leaf,
    Origin,
    Tree,
    measure_tree,
    read_tree,
)
from ttag_rules.nodes import APPEND, REMOVE, is_edit
from ttag_rules.pointer import ROOT, child
from ttag_rules.version_number import VersionNumber

MAX_PARENTS = 16  # in one list; the longest real one has 2
MAX_LOADED = 4 * 1024 * 1024  # bytes of stored targets that one body may bring in


@dataclass(frozen=True, slots=True)
class DirectUse:
    """A direct use of another version, at the pointer of the node in the target.

    If an edit removed the node, or found an equal one already in the list, the pointer is that of
    the edit's item in the body.
    """

    pointer: str
    requested: str
    resolved: str
    relation: Relation

    @property
    def as_json(self) -> dict[str, str]:
        """The use as resolutions show it."""
        return {
            "pointer": self.pointer,
            "requested": self.requested,
            "resolved": self.resolved,
            "relation": str(self.relation),
        }


@dataclass(frozen=True)
class PublishedVersion:
    """The version that a reference in a body resolved to."""

    tag: str
    number: VersionNumber
    target: Json
    provenance: Mapping[str, Origin]
    lineage: tuple[tuple[str, ...], ...] = ()  # by distance, nearest first
    depth: int = 0  # of the longest chain of versions that it was made from

    @property
    def exact(self) -> str:
        """The reference that always names this version."""
        return f"{self.tag}@{self.number}"

    @property
    def is_mixin(self) -> bool:
        """True for a patch that is not a target of its own."""
        return is_mixin(self.target)

    @cached_property
    def tree(self) -> Tree:
        """The target as a tree in which the version's own values are inherited from it."""
        return read_tree(self.target, lambda pointer: self.provenance.get(pointer) or self.exact)

    @cached_property
    def size(self) -> int:
        """The size of the target in bytes."""
        return measure_tree(self.tree).size


@dataclass(slots=True)
class Merge:
    """The state of a merge: the versions used so far and the faults."""

    library: Mapping[str, PublishedVersion]
    uses: list[DirectUse] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    inherited: int = 0  # bytes; a target counts each time a body inherits from it

    def read(self, value: Any, position: Position, pointer: str, *, editing: bool) -> Tree:
        """Build a tree of a body's value in which only edits and nulls are left to apply."""
        if isinstance(value, str) and position in WHOLE_POSITIONS:
            return self._read_name(value, position, pointer)
        if isinstance(value, list) and value and position is Position.DEVICES:
            return DeviceList(self._read_items(value, position, pointer))
        if isinstance(value, dict):
            return self._read_object(value, position, pointer, editing=editing)
        if value is None and not editing:
            self._fault(
                pointer,
                "EDIT_MISPLACED",
                "null removes an inherited value, but nothing is inherited here",
            )
        return Leaf(value, OWN)

    def _read_name(self, name: str, position: Position, pointer: str) -> Tree:
        if position is Position.COMPONENT or "/" not in name:
            return Branch({"kind": Leaf(name, OWN)})
        use, version = self._use(name, pointer, Relation.COMPOSES)
        if version.is_mixin:
            self._fault(
                pointer,
                Code.NOT_A_TARGET,
                f"{version.exact} is a mixin and cannot be used as a target",
                "a whole target",
                name,
            )
        tree = version.tree
        return replace(tree, uses=(use,)) if isinstance(tree, Branch) else tree

    def _read_object(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Tree:
        if is_edit(value):
            return self._read_edit(value, position, pointer, editing=editing)
        if position is Position.TARGET and "tag" in value:
            return self._inherit(value, pointer)
        if position in WHOLE_POSITIONS and "kind" in value:
            editing = False
        return self._read_children(value, position, pointer, editing=editing)

    def _read_children(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Branch:
        return Branch(
            {
                key: self.read(item, position.inside(key), child(pointer, key), editing=editing)
                for key, item in value.items()
            }
        )

    def _read_edit(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Edit:
        if not editing:
            self._fault(
                pointer,
                "EDIT_MISPLACED",
                "$append and $remove edit an inherited list, but nothing is inherited here",
            )
        if others := sorted(set(value) - {APPEND, REMOVE}):
            self._fault(
                pointer,
                "EDIT_MIXED",
                "an edit has no members except $append and $remove",
                "an object with only $append and $remove",
                echo(others),
            )
        halves: dict[str, tuple[Tree, ...]] = {}
        for half in (REMOVE, APPEND):
            items = value.get(half, [])
            if not isinstance(items, list):
                self._fault(
                    child(pointer, half),
                    "VALUE_TYPE",
                    f"{half} takes a list",
                    "a list",
                    echo(items),
                )
            elif half in value:
                halves[half] = self._read_items(items, position, child(pointer, half))
        return Edit(halves.get(REMOVE), halves.get(APPEND), OWN)

    def _read_items(self, items: list[Any], position: Position, pointer: str) -> tuple[Tree, ...]:
        if position is not Position.DEVICES:
            return tuple(Leaf(item, OWN) for item in items)
        return tuple(
            self.read(item, Position.TARGET, child(pointer, index), editing=False)
            for index, item in enumerate(items)
        )

    def _inherit(self, value: dict[str, Any], pointer: str) -> Tree:
        if "kind" in value:
            self._fault(
                child(pointer, "kind"),
                "KIND_BESIDE_TAG",
                "the kind is the parent's; kind and tag exclude each other",
                "either kind or tag",
                echo(value["kind"]),
            )
        names = parent_names(value["tag"])
        if len(names) > MAX_PARENTS:
            self._fault(
                pointer,
                Code.TOO_LARGE,
                f"{len(names)} parents are too many",
                f"at most {MAX_PARENTS}",
                str(len(names)),
            )
            return Branch({})
        base: Tree | None = None
        marks = []
        for index, name in enumerate(names):
            use, version = self._use(name, pointer, Relation.INHERITS)
            self._check_inherited_size(version)
            marks.append(use)
            self._check_parent(version, index, pointer)
            base = self._apply_mixin(base, version, pointer) if index else version.tree
        overrides = {key: item for key, item in value.items() if key not in ("tag", "kind")}
        patch = self._read_children(overrides, Position.TARGET, pointer, editing=True)
        merged = apply_override(base, patch, Position.TARGET, pointer, self.faults.append)
        return replace(merged, uses=tuple(marks)) if isinstance(merged, Branch) else Branch({})

    def _check_inherited_size(self, version: PublishedVersion) -> None:
        self.inherited += version.size
        if self.inherited > MAX_LOADED:
            raise Refused(
                Code.TOO_LARGE,
                f"The parents in this body have more than {MAX_LOADED} bytes of targets, counted "
                "for each use.",
            )

    def _apply_mixin(self, base: Tree | None, mixin: PublishedVersion, pointer: str) -> Tree | None:
        """Apply a mixin; report its faults at the object in the body that names it."""

        def report(fault: Fault) -> None:
            message = f"in {mixin.exact} at {fault.pointer or 'the root'}: {fault.message}"
            self.faults.append(replace(fault, pointer=pointer, message=message))

        return apply_override(base, mixin.tree, Position.TARGET, ROOT, report)

    def _check_parent(self, version: PublishedVersion, index: int, pointer: str) -> None:
        if index == 0 and version.is_mixin:
            self._fault(
                pointer,
                Code.PARENT_INVALID,
                f"{version.exact} is a mixin, but the first parent must be a whole target",
                "a whole target first, then mixins",
                version.exact,
            )
        if index > 0 and not version.is_mixin:
            self._fault(
                pointer,
                Code.PARENT_INVALID,
                f"{version.exact} is a second whole target, but only mixins can follow the first",
                "one whole target, then mixins",
                version.exact,
            )

    def _use(self, name: str, pointer: str, relation: Relation) -> tuple[int, PublishedVersion]:
        version = self.library[name]
        self.uses.append(DirectUse(pointer, name, version.exact, relation))
        return len(self.uses) - 1, version

    def _fault(
        self, pointer: str, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.faults.append(Fault(pointer, code, message, expected, found))
