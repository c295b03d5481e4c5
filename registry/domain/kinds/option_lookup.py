"""Look up the options that the values of a document belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from registry.domain.document import Json
from registry.domain.kinds.kinds import COMPONENTS, SINGLE_KINDS, Kinds, Option
from ttag_rules.nodes import APPEND, REMOVE, is_edit
from ttag_rules.pointer import split_pointer

STRUCTURAL = ("host", "devices", APPEND, REMOVE)  # tokens that may lead to another node


class OptionLookup:
    """The options of one document, a target or a mixin; values side by side are found once.

    A node in a mixin need not state a kind: then the options of this name in every kind are
    returned, at the root only those of `root_kinds` if given.
    """

    def __init__(self, document: Json, kinds: Kinds, root_kinds: Collection[str] = ()) -> None:
        self._document = document
        self._kinds = kinds
        self._root_kinds = root_kinds
        self._parents: dict[str, tuple[Any, list[str] | None]] = {}

    def options_at(self, pointer: str) -> Sequence[Option]:
        """Return the options that the value at a pointer belongs to.

        For a whole component, all its options are returned; for a target that a mixin removes, the
        `kind` option of every kind. Raises `PointerUnknown` if the pointer is malformed.
        """
        parent, _, name = pointer.rpartition("/")
        node, inside = self._innermost_node(parent)
        if name in STRUCTURAL or "~" in name or not pointer.startswith("/") or inside is None:
            node, inside = self._split(pointer)
        else:
            inside = [*inside, name]
        if not isinstance(node, dict):
            return [kind.options["kind"] for kind in self._kinds.targets.values()]
        return list(self._options(node, inside)) if inside else []

    def _innermost_node(self, pointer: str) -> tuple[Any, list[str] | None]:
        """Return the node that contains a pointer, and the rest of its path.

        The rest is None if the pointer is not inside a node, but between two of them.
        """
        if pointer not in self._parents:
            node, inside = self._split(pointer)
            is_between = pointer.rpartition("/")[2] in STRUCTURAL and not inside
            self._parents[pointer] = (node, None if is_between else inside)
        return self._parents[pointer]

    def _split(self, pointer: str) -> tuple[Any, list[str]]:
        """Return the innermost node that contains a pointer, and the rest of the path."""
        node: Any = self._document
        path = split_pointer(pointer)
        while path and path[0] in ("host", "devices"):
            skip = 1 if path[0] == "host" else 3 if is_edit(node.get("devices")) else 2
            for token in path[:skip]:
                node = node[int(token)] if isinstance(node, list) else node[token]
            path = path[skip:]
            if not isinstance(node, dict):
                break
        return node, path

    def _options(self, node: dict[str, Any], path: Sequence[str]) -> Iterator[Option]:
        key, name = path[0], path[1] if len(path) > 1 else ""
        if key in SINGLE_KINDS:
            candidates = [self._kinds[key]]
        elif key in COMPONENTS:
            components = self._kinds.components(key)
            stated = node[key].get("kind") if isinstance(node.get(key), dict) else None
            candidates = [components[stated]] if stated in components else list(components.values())
        else:
            targets, stated, name = self._kinds.targets, node.get("kind"), key
            at_root = node is self._document and self._root_kinds
            words = [stated] if stated in targets else self._root_kinds if at_root else targets
            candidates = [targets[word] for word in words if word in targets]
        for kind in candidates:
            if not name:
                yield from kind.options.values()
            elif option := kind.option(name):
                yield option
