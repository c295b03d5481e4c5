"""Splits the shipped catalogue by release, because references float to what is there.

A version that refers to `aws/c8g@1` was published when its release had certain versions of
`aws/c8g`. Loading releases one after the other gives it the same target in every registry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from registry.services.catalogue.lock import Lock
from registry.services.core.shipped_facts import ShippedTag


def waves(tags: Iterable[ShippedTag], lock: Lock) -> Iterator[list[ShippedTag]]:
    """Yield the tags with the versions that they had in each release, and at last all versions.

    Leaves out tags to which a wave adds nothing.
    """
    remaining = list(tags)
    before: dict[str, int] = {}
    for counts in lock.counts():
        yield [
            replace(tag, versions=tag.versions[: counts[tag.name]])
            for tag in remaining
            if counts[tag.name] > before.get(tag.name, 0)
        ]
        before = dict(counts)
    yield [tag for tag in remaining if len(tag.versions) > before.get(tag.name, 0)]
