"""Notes on a checked target: what compilers read as something else, without harm."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.document import Json
from registry.domain.importing import Note
from registry.domain.resolution.composition import is_mixin
from ttag_rules.nodes import nodes
from ttag_rules.pointer import child
from ttag_rules.triple_normalization import normalize

TRIPLE = "mtriple"


def target_notes(target: Json) -> Iterator[Note]:
    """Yield a note for each triple that LLVM 22 writes differently; none for a mixin."""
    for node in () if is_mixin(target) else nodes(target):
        triple = node.value.get(TRIPLE)
        if isinstance(triple, str) and (normal := normalize(triple)) != triple:
            yield Note(child(node.pointer, TRIPLE), f"LLVM 22 reads {triple} as {normal}")
