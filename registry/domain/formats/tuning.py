"""The `tuning` format: exactly what the tuning keys of a target's leaves digest.

Values that no key digests are not reported as dropped; a leaf without a key is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Loss, Subject
from registry.domain.keys.tuning import (
    host_dependence,
    host_dependent_options,
    preimages,
    tuning_key,
)
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.composition import is_mixin
from ttag_rules.nodes import Node, nodes

# Bytes. Each leaf repeats what encloses it, which is limited when it is published, and the defaults
# of its kind, which are not; real ones produce a few KiB.
MAX_PREIMAGES = 4 * 1024 * 1024

IN_MIXIN = "it is in a mixin: its leaves have tuning keys where they are used"


def write(subject: Subject) -> Export:
    """Write `tuning`, the preimages by the leaf's pointer, and `tuning_keys`, the keys.

    A key is `tk1:` and the SHA-256 of the preimage's canonical bytes (RFC 8785). Raises `Refused`
    (FORMAT_UNFIT) if the preimages have more than 4 MiB in total.
    """
    by_pointer = subject_preimages(subject)
    _check_size(by_pointer)
    keys: dict[str, Json] = {pointer: tuning_key(item) for pointer, item in by_pointer.items()}
    losses = tuple(_without_key(subject, by_pointer))
    return Export({"tuning": {**by_pointer}, "tuning_keys": keys}, losses)


def subject_preimages(subject: Subject) -> dict[str, dict[str, Any]]:
    """Return the preimages of the tuning keys of the target's leaves."""
    by_pointer = preimages(subject.document, subject.kinds)
    return subject.part.select(by_pointer) if subject.part else by_pointer


def _check_size(by_pointer: Mapping[str, Json]) -> None:
    size = 0
    for preimage in by_pointer.values():
        size += len(canonical(preimage))
        if size > MAX_PREIMAGES:
            raise Refused(
                Code.FORMAT_UNFIT,
                f"The preimages of {len(by_pointer)} tuning keys have more than {MAX_PREIMAGES} "
                "bytes in total. Ask for one leaf, with ?node= and its pointer.",
            )


def _without_key(subject: Subject, with_key: Collection[str]) -> Iterator[Loss]:
    in_mixin = is_mixin(subject.document)
    for node in nodes(subject.target):
        if node.kind and node.is_leaf and node.pointer not in with_key:
            reason = IN_MIXIN if in_mixin else _host_dependent(node, subject.kinds)
            yield Loss(node.pointer, reason)


def _host_dependent(node: Node, kinds: Kinds) -> str:
    reasons = (
        host_dependence(name, node.value.get(name)) for name in host_dependent_options(node, kinds)
    )
    return f"{', and '.join(reasons)}, so it has no tuning key"


FORMAT = Format(
    "tuning",
    f"application/{MEDIA_TYPE_PREFIX}.tuning+json",
    "The tuning key of each leaf, and the values that it digests.",
    write,
    members=("tuning", "tuning_keys"),
)
