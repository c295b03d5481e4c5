"""The `consumers` format: every value of a target under each compiler component that reads it.

`annotation` is no component: what stands under it alone is for people. A list of scalars is one
value. An empty object holds none, so it has no place here, and nothing is lost with it.
"""

from __future__ import annotations

from collections import defaultdict

from registry.domain.document import Json
from registry.domain.exporting import MEDIA, Export, Format, Subject
from registry.domain.pointer import natural
from registry.domain.readers import Readership
from registry.domain.tree import OWN, leaves, read


def write(subject: Subject) -> Export:
    """`consumers`: values by pointer, by consumer. `tuning_irrelevant`: pointers, in natural order.

    A change to a value named in `tuning_irrelevant` changes no tuning key. Drops nothing.
    """
    target, readership = subject.target, Readership(subject.target, subject.kinds)
    groups: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    irrelevant = set(readership.own_of_composites)
    for pointer, leaf in leaves(read(target, lambda _: OWN)):
        readers = readership.at(pointer)
        for consumer in readers.consumers:
            groups[consumer][pointer] = leaf.value
        if not readers.affects_tuning:
            irrelevant.add(pointer)
    return Export(
        {"consumers": {**groups}, "tuning_irrelevant": [*sorted(irrelevant, key=natural)]}
    )


FORMAT = Format(
    "consumers",
    f"application/{MEDIA}.consumers+json",
    "Every value under each compiler component that reads it, and what tuning does not depend on.",
    write,
    members=("consumers", "tuning_irrelevant"),
)
