"""The one pass that merges a body: references resolved, overrides applied, origins kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from registry.domain.composition import APPEND, REMOVE, Position, is_edit, is_mixin
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.inheritance import WHOLE, override
from registry.domain.number import Number
from registry.domain.pointer import ROOT, child
from registry.domain.requests import Relation, parents
from registry.domain.tree import OWN, Branch, Edit, Leaf, Origin, Row, Tree, measure, read

MAX_PARENTS = 16  # in one list; the longest real one has 2
MAX_LOADED = 4 * 1024 * 1024  # bytes of stored targets that one body may bring in


@dataclass(frozen=True, slots=True)
class Dependency:
    """A direct use of another version; the pointer is that of the node in the target.

    Of what an edit removes or finds there already no node comes: there it is the body's pointer.
    """

    pointer: str
    requested: str
    resolved: str
    relation: Relation


@dataclass(frozen=True)
class Published:
    """What the pass needs to know of a version that a body refers to."""

    tag: str
    number: Number
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
        """Whether it is a patch and no target of its own."""
        return is_mixin(self.target)

    @cached_property
    def tree(self) -> Tree:
        """The target with its origins: this version's own values are now inherited from it."""
        return read(self.target, lambda pointer: self.provenance.get(pointer) or self.exact)

    @cached_property
    def size(self) -> int:
        """Bytes of the target: what it costs to inherit from it once."""
        return measure(self.tree).size


@dataclass(slots=True)
class Merge:
    """A body being merged: what it has used so far, and what is wrong with it."""

    library: Mapping[str, Published]
    uses: list[Dependency] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    inherited: int = 0  # bytes, each target as often as it is inherited from

    def read(self, value: Any, position: Position, pointer: str, *, editing: bool) -> Tree:
        """Read a body's value into a tree in which only edits and nulls are left to apply."""
        if isinstance(value, str) and position in WHOLE:
            return self._named(value, position, pointer)
        if isinstance(value, list) and value and position is Position.DEVICES:
            return Row(self._items(value, position, pointer))
        if isinstance(value, dict):
            return self._object(value, position, pointer, editing=editing)
        if value is None and not editing:
            self._fault(
                pointer, "EDIT_MISPLACED", "null removes an inherited value; nothing is inherited"
            )
        return Leaf(value, OWN)

    def _named(self, name: str, position: Position, pointer: str) -> Tree:
        if position is Position.COMPONENT or "/" not in name:
            return Branch({"kind": Leaf(name, OWN)})
        use, version = self._use(name, pointer, Relation.COMPOSES)
        if version.is_mixin:
            self._fault(
                pointer,
                Code.NOT_A_TARGET,
                f"{version.exact} is a mixin and cannot stand as a target",
                "a whole target",
                name,
            )
        tree = version.tree
        return replace(tree, uses=(use,)) if isinstance(tree, Branch) else tree

    def _object(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Tree:
        if is_edit(value):
            return self._edit(value, position, pointer, editing=editing)
        if position is Position.TARGET and "tag" in value:
            return self._inherit(value, pointer)
        if position in WHOLE and "kind" in value:
            editing = False
        return self._children(value, position, pointer, editing=editing)

    def _children(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Branch:
        return Branch(
            {
                key: self.read(item, position.inside(key), child(pointer, key), editing=editing)
                for key, item in value.items()
            }
        )

    def _edit(
        self, value: dict[str, Any], position: Position, pointer: str, *, editing: bool
    ) -> Edit:
        if not editing:
            self._fault(
                pointer, "EDIT_MISPLACED", "$append and $remove edit an inherited list; none is"
            )
        if others := sorted(set(value) - {APPEND, REMOVE}):
            self._fault(
                pointer,
                "EDIT_MIXED",
                "nothing stands beside $append and $remove",
                "an object of $append and $remove alone",
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
                halves[half] = self._items(items, position, child(pointer, half))
        return Edit(halves.get(REMOVE), halves.get(APPEND), OWN)

    def _items(self, items: list[Any], position: Position, pointer: str) -> tuple[Tree, ...]:
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
        names = parents(value["tag"])
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
            self._bound_inherited(version)
            marks.append(use)
            self._check_parent(version, index, pointer)
            base = self._mixed_in(base, version, pointer) if index else version.tree
        overrides = {key: item for key, item in value.items() if key not in ("tag", "kind")}
        patch = self._children(overrides, Position.TARGET, pointer, editing=True)
        merged = override(base, patch, Position.TARGET, pointer, self.faults.append)
        return replace(merged, uses=tuple(marks)) if isinstance(merged, Branch) else Branch({})

    def _bound_inherited(self, version: Published) -> None:
        self.inherited += version.size
        if self.inherited > MAX_LOADED:
            raise Refused(
                Code.TOO_LARGE,
                f"The parents in this body have more than {MAX_LOADED} bytes of targets, each "
                "counted as often as it is named.",
            )

    def _mixed_in(self, base: Tree | None, mixin: Published, pointer: str) -> Tree | None:
        """Apply a mixin; what does not fit is reported at the object that names it."""

        def report(fault: Fault) -> None:
            message = f"in {mixin.exact} at {fault.pointer or 'the root'}: {fault.message}"
            self.faults.append(replace(fault, pointer=pointer, message=message))

        return override(base, mixin.tree, Position.TARGET, ROOT, report)

    def _check_parent(self, version: Published, index: int, pointer: str) -> None:
        if index == 0 and version.is_mixin:
            self._fault(
                pointer,
                Code.PARENT_INVALID,
                f"{version.exact} is a mixin: the first parent is a whole target",
                "a whole target first, then mixins",
                version.exact,
            )
        if index > 0 and not version.is_mixin:
            self._fault(
                pointer,
                Code.PARENT_INVALID,
                f"{version.exact} is a second whole target: after the first come mixins",
                "one whole target, then mixins",
                version.exact,
            )

    def _use(self, name: str, pointer: str, relation: Relation) -> tuple[int, Published]:
        version = self.library[name]
        self.uses.append(Dependency(pointer, name, version.exact, relation))
        return len(self.uses) - 1, version

    def _fault(
        self, pointer: str, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.faults.append(Fault(pointer, code, message, expected, found))
