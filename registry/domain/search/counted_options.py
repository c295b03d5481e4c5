"""The options that are counted of a target: those of its root, its host and its components.

An option is named by the kind of its node and its pointer: `llvm/mcpu`, `llvm/host/mcpu`,
`aot/executor/unpacked-api`. Pass settings and hardware facts have no kind: `/hardware/cores`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from registry.domain.kinds.kinds import COMPONENTS, SINGLE_KINDS
from registry.domain.search.attributes import HARDWARE
from ttag_rules.pointer import ROOT, child

Value = tuple[str, str]  # a pointer or an option, and a text

HOST = child(ROOT, "host")
NODES = frozenset({HOST, *(child(ROOT, role) for role in COMPONENTS)})  # that state their kind
PARTS = frozenset(child(ROOT, role) for role in SINGLE_KINDS)  # that have none
NODE_OF_KIND = {child(node, "kind"): node for node in NODES}
MIXINS = ""  # what tags are counted as whose root has no kind
FACTS = f"{child(ROOT, HARDWARE)}/"


def kinds_of_nodes(root_kind: str, values: Collection[Value]) -> Mapping[str, str]:
    """Return the kinds of a target's nodes whose options are counted, by pointer.

    The kind of pass settings and hardware facts is empty; a mixin's root is no node.
    """
    kinds = {NODE_OF_KIND[pointer]: text for pointer, text in values if pointer in NODE_OF_KIND}
    if root_kind:
        kinds[ROOT] = root_kind
    stated = {pointer.rpartition("/")[0] for pointer, _ in values}
    return kinds | dict.fromkeys(PARTS & stated, "")


def counted_values(kinds: Mapping[str, str], values: Iterable[Value]) -> Iterator[Value]:
    """Yield the options that some nodes set, each with a value. A list has one for each item."""
    for pointer, text in values:
        node = pointer.rpartition("/")[0]
        if node in kinds:
            yield f"{kinds[node]}{pointer}", text
