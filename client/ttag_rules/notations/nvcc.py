"""Options of nvcc: the GPUs that it compiles for, as machine code and as PTX.

Which architectures a toolkit knows, and their names, are the rules of compatibility.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.compatibility.devices.cuda import PTX_KIND
from ttag_rules.compatibility.devices.cuda_versions import (
    SUFFIX_CAPABILITIES,
    first_toolkit,
)
from ttag_rules.nodes import Node, nodes
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.pointer import child

OPTIONS = {"cuda": "arch", PTX_KIND: "mcpu"}  # that state the GPU, by kind
FAMILY = False, "f"  # machine code for one


# Decision 157: a notation is one pure function, which the client calls to check texts.
def nvcc_options(target: Mapping[str, Any]) -> Notation:
    """Return `-gencode` for every NVIDIA GPU of a target. Raises `Unfit` if there is none.

    Code for sm_90a runs on no other GPU, also as PTX: so code and PTX for sm_90 go with it. nvcc
    takes code for sm_100f in the place of that for sm_100, and it runs there too.
    """
    described: list[Node] = []
    reasons: dict[str, str] = {}
    codes: set[tuple[int, bool, str]] = set()
    for node in nodes(dict(target)):
        option = OPTIONS.get(node.kind, "")
        if option not in node.value:
            continue
        architecture = Architecture.parse(str(node.value[option]))
        if reason := _reason_against(architecture, str(node.value[option])):
            reasons |= dict.fromkeys((node.pointer, child(node.pointer, option)), reason)
        elif architecture:
            described.append(node)
            codes |= {*_codes(architecture, is_ptx_alone=node.kind == PTX_KIND)}
    codes -= {(number, False, "") for number, is_ptx, suffix in codes if (is_ptx, suffix) == FAMILY}
    if not codes:
        raise Unfit(next(iter(reasons.values()), "it states no GPU of NVIDIA"))
    words = [
        f"-gencode=arch=compute_{number}{suffix},"
        f"code={'compute' if is_ptx else 'sm'}_{number}{suffix}"
        for number, is_ptx, suffix in sorted(codes)
    ]
    written = {
        child(node.pointer, name) for node in described for name in ("kind", OPTIONS[node.kind])
    }
    return Notation(" ".join(words) + "\n", tuple(described), written, reasons)


def _reason_against(architecture: Architecture | None, text: str) -> str:
    """Return why nvcc of CUDA 12 or later compiles nothing for it; empty if it does."""
    if architecture is None:
        return f"{text} is no architecture of CUDA"
    if not first_toolkit(architecture):
        return f"no CUDA from 12.0 on compiles for {text}"
    if architecture.number < SUFFIX_CAPABILITIES.get(architecture.suffix, 0):
        return f"CUDA has no {text}"
    return ""


def _codes(architecture: Architecture, *, is_ptx_alone: bool) -> Iterator[tuple[int, bool, str]]:
    """Yield number, whether it is PTX, and suffix of the code for a GPU."""
    number, suffix = architecture.number, architecture.suffix
    yield number, True, ""
    if is_ptx_alone:
        yield number, True, suffix
    else:
        yield number, False, ""
        yield number, False, suffix
