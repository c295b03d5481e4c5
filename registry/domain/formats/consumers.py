"""The `consumers` format: every value of a target under each compiler component that reads it.

`annotation` is no component: what stands under it alone is for people. A list of scalars is one
value. An empty object holds none, so it has no place here, and nothing is lost with it.
"""

from __future__ import annotations

from collections import defaultdict

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.exporting import MEDIA, Export, Format, Subject
from registry.domain.pointer import child, natural
from registry.domain.tree import OWN, leaves, read

# Nothing is tuned for a composite itself: of its own options these alone reach its leaves' keys.
PASSED_DOWN = frozenset({"kind", "libs", "codegen"})


def write(subject: Subject) -> Export:
    """`consumers`: values by pointer, by consumer. `tuning_irrelevant`: pointers, in natural order.

    A change to a value named in `tuning_irrelevant` changes no tuning key. Drops nothing.
    """
    target, kinds = subject.target, subject.kinds
    groups: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    irrelevant = _own_of_composites(target)
    for pointer, leaf in leaves(read(target, lambda _: OWN)):
        options = kinds.options_at(target, pointer)
        for consumer in {name for option in options for name in option.consumers}:
            groups[consumer][pointer] = leaf.value
        if not any(option.affects_tuning for option in options):
            irrelevant.add(pointer)
    return Export(
        {"consumers": {**groups}, "tuning_irrelevant": [*sorted(irrelevant, key=natural)]}
    )


def _own_of_composites(target: Json) -> set[str]:
    """Where composites say something of themselves that no leaf's key digests."""
    return {
        child(node.pointer, name)
        for node in nodes(target)
        if not node.is_leaf
        for name in node.own.keys() - PASSED_DOWN
    }


FORMAT = Format(
    "consumers",
    f"application/{MEDIA}.consumers+json",
    "Every value under each compiler component that reads it, and what tuning does not depend on.",
    write,
    members=("consumers", "tuning_irrelevant"),
)
