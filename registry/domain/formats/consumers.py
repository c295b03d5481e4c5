"""The `consumers` format: every value of a target under each compiler component that reads it.

`annotation` stands for no component: values only under it are for people. A list of scalars is one
value. Empty objects contain no values and are left out without being reported as dropped.
"""

from __future__ import annotations

from collections import defaultdict

from registry.domain.document import Json
from registry.domain.exporting import MEDIA, Export, Format, Subject
from registry.domain.pointer import natural
from registry.domain.readers import Readership
from registry.domain.tree import OWN, leaves, read


def write(subject: Subject) -> Export:
    """Write `consumers`, values by pointer for each consumer, and `tuning_irrelevant`.

    A change to a value whose pointer is in `tuning_irrelevant` changes no tuning key. Nothing is
    dropped.
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
