"""The section of a tag's page about compilers: how far each gets with the target and its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry.domain.document import Json
from registry.domain.kinds.kinds import RUNTIME
from registry.domain.proofs import BUILT, Compiler, CompilerProof, Proof, Reach
from registry.web.core.compiler_names import COMPILER_NAMES

MAX_NODES = 6  # of a compiler
TEXTS = {
    Reach.RUN: "builds it; the code ran and computed the right result",
    Reach.ARTEFACT: "builds it; the machine code was read back",
    Reach.SOURCE: "writes source or assembly for it, which was not built further",
    Reach.REFUSED: "does not build it",
    Reach.UNTESTED: "not tested with it",
}
# Decision 132: IREE has no runtime for bare metal that is ready to link.
LINKING = "The C file and the object link with IREE's runtime, which has to be built from source."


def names_of_compilers(proofs: Sequence[CompilerProof]) -> list[str]:
    """Return the compilers that build the whole target."""
    return [COMPILER_NAMES[each.compiler] for each in proofs if each.proof.reach in BUILT]


def compiler_row(each: CompilerProof, target: Json) -> dict[str, Any]:
    """Return the sentence about the whole target, and those about leaves that differ from it."""
    differing = [node for node in each.nodes if node.proof != each.proof]
    leaves = [(node.pointer or "the root alone", _text(node.proof)) for node in differing]
    return {
        "title": f"{COMPILER_NAMES[each.compiler]} {each.release}",
        "text": _text(each.proof),
        "note": LINKING if _needs_runtime(each, target) else "",
        "nodes": leaves[:MAX_NODES],
        "node_count": len(leaves),
    }


def _text(proof: Proof) -> str:
    return f"{TEXTS[proof.reach]}{f': {proof.reason}' if proof.reason else ''}"


def _needs_runtime(each: CompilerProof, target: Json) -> bool:
    is_built = each.compiler is Compiler.IREE and each.proof.reach in BUILT
    runtime = target.get(RUNTIME) if isinstance(target, dict) else None
    return is_built and isinstance(runtime, dict) and runtime["kind"] == "crt"
