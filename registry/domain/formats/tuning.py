"""The `tuning` format: exactly what the tuning keys of a target's leaves digest.

It is a view of the keys. What no key digests is not dropped from it; a leaf without a key is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from registry.domain.composition import Node, is_mixin, nodes
from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA, Export, Format, Loss, Subject
from registry.domain.kinds import Kinds
from registry.domain.tuning import key

# Bytes. Each leaf repeats what encloses it, so that a target of 256 KiB could fill 100 MiB; real
# ones fill some KiB.
MAX_PREIMAGES = 4 * 1024 * 1024

IN_MIXIN = "it stands in a mixin: its leaves have tuning keys where they are used"


def write(subject: Subject) -> Export:
    """`tuning`: what is digested, by the leaf's pointer. `tuning_keys`: the keys, likewise.

    A key is `tk1:` and the SHA-256 of the canonical bytes (RFC 8785) of what it digests. Raises
    `Refused` (FORMAT_UNFIT) where that has more than 4 MiB in all.
    """
    _bound(subject.preimages)
    keys: dict[str, Json] = {pointer: key(each) for pointer, each in subject.preimages.items()}
    return Export(
        {"tuning": {**subject.preimages}, "tuning_keys": keys}, tuple(_without_key(subject))
    )


def _bound(preimages: Mapping[str, Json]) -> None:
    size = 0
    for preimage in preimages.values():
        size += len(canonical(preimage))
        if size > MAX_PREIMAGES:
            raise Refused(
                Code.FORMAT_UNFIT,
                f"What {len(preimages)} tuning keys digest has more than {MAX_PREIMAGES} bytes in "
                "all. Ask for one leaf, with ?node= and its pointer.",
            )


def _without_key(subject: Subject) -> Iterator[Loss]:
    in_mixin = is_mixin(subject.whole)
    for node in nodes(subject.target):
        if node.kind and node.is_leaf and node.pointer not in subject.preimages:
            reason = IN_MIXIN if in_mixin else _host_dependent(node, subject.kinds)
            yield Loss(node.pointer, reason)


def _host_dependent(node: Node, kinds: Kinds) -> str:
    needed = " or ".join(kinds.targets[node.kind].host_dependent_without)
    return (
        f"without {needed} a compiler completes this {node.kind} by looking at its own machine, "
        "so it has no tuning key"
    )


FORMAT = Format(
    "tuning",
    f"application/{MEDIA}.tuning+json",
    "What the tuning key of each leaf digests, and the key.",
    write,
    members=("tuning", "tuning_keys"),
)
