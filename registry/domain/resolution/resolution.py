"""Resolve a body to a target with its provenance, dependencies and lineage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from registry.domain.document import MAX_NESTING, Json, canonical
from registry.domain.errors import Code, Refused, refuse_all
from registry.domain.resolution.composition import Position, is_mixin
from registry.domain.resolution.merging import DirectUse, Merge, PublishedVersion
from registry.domain.resolution.provenance_tree import (
    Origin,
    Tree,
    measure_tree,
    tree_leaves,
    tree_to_json,
    tree_uses,
)
from ttag_rules.nodes import nodes
from ttag_rules.pointer import ROOT, natural_key

MAX_LEVELS = 16  # of composites inside composites; real ones have 4
MAX_NODES = 1024
MAX_DEPTH = 32  # of the lineage; the deepest real chain is 5
MAX_TARGET = 256 * 1024  # bytes of a resolved target
# Bytes that enclosing nodes add to tuning keys: each leaf repeats them, so that without a limit the
# keys of one target could digest 100 MiB. Real ones add less than 1 KiB.
MAX_PASSED_DOWN = 1024 * 1024
PASSED_DOWN = ("libs", "flow")


@dataclass(frozen=True, slots=True)
class Resolution:
    """A closed target and the origins of its values.

    `provenance` maps each leaf's pointer to the version that set it, or None for the new version.
    `lineage` holds exact references by distance; `ancestors` lists them breadth first.
    """

    target: dict[str, Any]
    text: bytes
    provenance: Mapping[str, Origin]
    dependencies: tuple[DirectUse, ...] = ()
    lineage: tuple[tuple[str, ...], ...] = ()
    depth: int = 0

    @property
    def is_mixin(self) -> bool:
        """True for a patch that is not a target of its own."""
        return is_mixin(self.target)

    @property
    def ancestors(self) -> tuple[str, ...]:
        """The lineage as a flat list, breadth first."""
        return tuple(exact for level in self.lineage for exact in level)


def resolve_body(body: Json, library: Mapping[str, PublishedVersion]) -> Resolution:
    """Resolve a body; `library` holds the versions it refers to, by reference text.

    Raises `Refused` with every fault found while merging, or TOO_LARGE or TOO_DEEP. The target has
    not been checked against the schemas of its kinds yet.
    """
    merge = Merge(library)
    tree = merge.read(body, Position.TARGET, ROOT, editing=is_mixin(body))
    refuse_all(merge.faults)
    _check_size(tree)
    target = tree_to_json(tree)
    assert isinstance(target, dict)  # noqa: S101 - `body_references` refuses any other body
    text = canonical(target)
    if len(text) > MAX_TARGET:
        raise _too_large(f"{len(text)} bytes", f"{MAX_TARGET}")
    _check_passed_down(target)
    parents = [library[use.requested] for use in merge.uses]
    depth = max((parent.depth + 1 for parent in parents), default=0)
    if depth > MAX_DEPTH:
        raise Refused(Code.TOO_DEEP, f"The lineage is {depth} versions deep: at most {MAX_DEPTH}.")
    dependencies = _at_target_pointers(merge.uses, tree)
    ordered = [library[dependency.requested] for dependency in dependencies]
    return Resolution(
        target=target,
        text=text,
        provenance={pointer: leaf.origin for pointer, leaf in tree_leaves(tree)},
        dependencies=dependencies,
        lineage=_lineage(ordered),
        depth=depth,
    )


def _check_size(tree: Tree) -> None:
    extent = measure_tree(tree)
    # Decision 003: composition nests deeper than any body, and parsers stop at a hundred levels.
    if extent.height > MAX_NESTING:
        raise Refused(
            Code.TOO_DEEP, f"The resolved target nests {extent.height} deep: at most {MAX_NESTING}."
        )
    if extent.levels > MAX_LEVELS:
        raise Refused(Code.TOO_DEEP, f"Composites nest {extent.levels} deep: at most {MAX_LEVELS}.")
    if extent.nodes > MAX_NODES:
        raise _too_large(f"{extent.nodes} targets inside it", f"{MAX_NODES}")
    if extent.size > MAX_TARGET:
        raise _too_large(f"{extent.size} bytes", f"{MAX_TARGET}")


# Decision 064: keys repeat what encloses a leaf, so their size is bounded here.
def _check_passed_down(target: Json) -> None:
    """Refuse a target whose leaves repeat too many settings and libraries of enclosing nodes."""
    sizes: dict[str, int] = {}
    total = 0
    if is_mixin(target):  # its leaves have keys where they are used
        return
    for node in nodes(target):
        inherited = sizes[node.enclosing[0].pointer] if node.enclosing else 0
        own = sum(len(canonical(node.value[name])) for name in PASSED_DOWN if name in node.value)
        sizes[node.pointer] = inherited + own
        total += inherited if node.kind and node.is_leaf else 0
    if total > MAX_PASSED_DOWN:
        raise Refused(
            Code.TOO_LARGE,
            f"The leaves are enclosed by {total} bytes of flow and libs, counted for each leaf: "
            f"at most {MAX_PASSED_DOWN}.",
        )


def _too_large(size: str, limit: str) -> Refused:
    return Refused(Code.TOO_LARGE, f"The resolved target has {size}: at most {limit}.")


def _at_target_pointers(dependencies: Iterable[DirectUse], tree: Tree) -> tuple[DirectUse, ...]:
    """Return the dependencies with pointers into the target, the root's parents first."""
    pointers = dict(tree_uses(tree))
    placed = [
        replace(dependency, pointer=pointers.get(index, dependency.pointer))
        for index, dependency in enumerate(dependencies)
    ]
    return tuple(sorted(placed, key=lambda dependency: natural_key(dependency.pointer)))


def _lineage(parents: Iterable[PublishedVersion]) -> tuple[tuple[str, ...], ...]:
    """Merge the parents' lineages breadth first, level by level."""
    distinct = {parent.exact: parent for parent in parents}.values()
    seen: set[str] = set()
    levels = []
    for level in zip_longest(*(((p.exact,), *p.lineage) for p in distinct), fillvalue=()):
        fresh = tuple(dict.fromkeys(exact for part in level for exact in part if exact not in seen))
        seen.update(fresh)
        levels.append(fresh)
    return tuple(level for level in levels if level)
