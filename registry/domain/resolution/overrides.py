"""Override rules: JSON Merge Patch (RFC 7396) with two additions.

An object that states its kind replaces the inherited one; lists can be edited in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from registry.domain.document import canonical
from registry.domain.errors import Fault, echo
from registry.domain.resolution.composition import Position
from registry.domain.resolution.provenance_tree import (
    Branch,
    DeviceList,
    Edit,
    Leaf,
    Tree,
    tree_to_json,
)
from ttag_rules.pointer import child

Report: TypeAlias = Callable[[Fault], None]

WHOLE_POSITIONS = (Position.TARGET, Position.COMPONENT)  # faster than a set: no hashes


def apply_override(
    base: Tree | None, patch: Tree, position: Position, pointer: str, report: Report
) -> Tree | None:
    """Apply a patch to an inherited value; return None if the key is removed.

    Targets in the patch have been resolved: one that states a kind is complete. Edits that do not
    fit are reported at their pointer.
    """
    match patch:
        case Leaf(value=None):
            return None
        case Edit():
            return _apply_edit(base, patch, position, pointer, report)
        case Branch() if not is_complete(patch, position):
            return _merge(base, patch, position, pointer, report)
        case _:
            return patch


def is_complete(tree: Branch, position: Position) -> bool:
    """Return whether an object states its kind, and so replaces the inherited one."""
    return position in WHOLE_POSITIONS and "kind" in tree.children


def _merge(
    base: Tree | None, patch: Branch, position: Position, pointer: str, report: Report
) -> Branch:
    children = dict(base.children) if isinstance(base, Branch) else {}
    for key, item in patch.children.items():
        merged = apply_override(
            children.get(key), item, position.inside(key), child(pointer, key), report
        )
        if merged is None:
            children.pop(key, None)
        else:
            children[key] = merged
    return Branch(children, patch.uses)


def _apply_edit(
    base: Tree | None, edit: Edit, position: Position, pointer: str, report: Report
) -> Tree | None:
    match base:
        case None:
            items: tuple[Tree, ...] = ()
        case DeviceList():
            items = base.items
        case Leaf(value=list(values)):
            items = tuple(Leaf(value, base.origin) for value in values)
        case _:
            report(
                Fault(
                    pointer,
                    "EDIT_WITHOUT_LIST",
                    "$append and $remove edit a list, but the inherited value is not a list",
                    "an inherited list, or no inherited value",
                    echo(tree_to_json(base)),
                )
            )
            return base
    removed = {_identity(item) for item in edit.remove or ()}
    kept = [item for item in items if _identity(item) not in removed]
    append = _append_features if position is Position.FEATURES else _append
    kept = append(kept, edit.append or ())
    if position is Position.DEVICES and kept:
        return DeviceList(tuple(kept))
    return Leaf([tree_to_json(item) for item in kept], edit.origin)


def _append(kept: list[Tree], added: Iterable[Tree]) -> list[Tree]:
    """Append the items that are not in the list yet."""
    present = {_identity(item) for item in kept}
    result = list(kept)
    for item in added:
        if _identity(item) not in present:
            present.add(_identity(item))
            result.append(item)
    return result


def _append_features(kept: list[Tree], added: Iterable[Tree]) -> list[Tree]:
    """Append features: each removes an earlier `+x` or `-x` and is added at the end."""
    last: dict[str | bytes, Tree] = {}
    for item in added:
        last.pop(_feature(item), None)
        last[_feature(item)] = item
    return [*(item for item in kept if _feature(item) not in last), *last.values()]


def _identity(item: Tree) -> str | bytes:
    """Return a value that is equal for equal items only; cached for shared branches."""
    if isinstance(item, Leaf) and isinstance(item.value, str):
        return item.value
    if not isinstance(item, Branch):
        return canonical(tree_to_json(item))
    if not item.identity:
        item.identity.append(canonical(tree_to_json(item)))
    return item.identity[0]


def _feature(item: Tree) -> str | bytes:
    """Return a feature's name without its sign; the canonical bytes of anything else."""
    value = tree_to_json(item)
    if isinstance(value, str) and value[:1] in ("+", "-"):
        return value[1:]
    return canonical(value)
