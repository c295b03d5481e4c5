"""The `consumers` format: every value of a target under each compiler component that reads it.

`annotation` stands for no component: values only under it are for people. A list of scalars is one
value. Empty objects contain no values and are left out without being reported as dropped.
"""

from __future__ import annotations

from collections import defaultdict

from registry.domain.document import Json
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.kinds.consumers import TargetConsumers
from registry.domain.resolution.provenance_tree import OWN, read_tree, tree_leaves
from ttag_rules.pointer import natural_key


def write(subject: Subject) -> Export:
    """Write `consumers`, values by pointer for each consumer, and `tuning_irrelevant`.

    A change to a value whose pointer is in `tuning_irrelevant` changes no tuning key. Nothing is
    dropped.
    """
    target, consumers = subject.target, TargetConsumers(subject.target, subject.kinds)
    groups: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    irrelevant = set(consumers.untuned_pointers)
    for pointer, leaf in tree_leaves(read_tree(target, lambda _: OWN)):
        value_consumers = consumers.consumers_of(pointer)
        for consumer in value_consumers.consumers:
            groups[consumer][pointer] = leaf.value
        if not value_consumers.affects_tuning:
            irrelevant.add(pointer)
    return Export(
        {"consumers": {**groups}, "tuning_irrelevant": [*sorted(irrelevant, key=natural_key)]}
    )


FORMAT = Format(
    "consumers",
    f"application/{MEDIA_TYPE_PREFIX}.consumers+json",
    "Values by the compiler components that read them, and those that tuning does not depend on.",
    write,
    members=("consumers", "tuning_irrelevant"),
)
