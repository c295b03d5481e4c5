"""Lints for the threads of GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.lints.facts import LintFacts
from ttag_rules.nodes import Node
from ttag_rules.pointer import child

OPTION = "thread_warp_size"
NVIDIA = (32,)
GCN = (64,)  # up to gfx9, CDNA included; from gfx10 on a wavefront can have 32 too
LAST_GCN = 9
GFX = re.compile(r"gfx([0-9]+)[0-9a-f]{2}")


def impossible_warp_size(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a `thread_warp_size` that the kind or architecture does not have."""
    size, possible = node.value.get(OPTION), _sizes(node)
    if size is not None and possible and size not in possible:
        yield Fault(
            child(node.pointer, OPTION),
            "WARP_SIZE_IMPOSSIBLE",
            f"{node.value.get('mcpu', node.kind)} has no warps of {size} threads",
            " or ".join(map(str, possible)),
            echo(size),
            tuple(map(str, possible)),
        )


def _sizes(node: Node) -> tuple[int, ...]:
    """Return the possible numbers of threads in a warp; empty if any is possible."""
    if node.kind in ("cuda", "nvptx"):
        return NVIDIA
    match = GFX.fullmatch(node.value.get("mcpu", "")) if node.kind == "rocm" else None
    return GCN if match and int(match[1]) <= LAST_GCN else ()
