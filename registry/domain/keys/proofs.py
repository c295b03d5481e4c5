"""The steps that compilers took with a leaf: accepted it, generated code for it, ran the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from registry.domain.document import Json, canonical
from registry.domain.keys.tuning import leaves
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.composition import Node

CODEGEN = "codegen"


class Step(StrEnum):
    """A step that a compiler was seen to take, the furthest first."""

    RUN = "run"  # TVM's code computed the right result
    TVM_CODE = "tvm-code"  # for this architecture and processor, without a warning
    TVM_TARGET = "tvm-target"  # TVM accepts the target
    IREE = "iree"  # IREE generates code
    CLANG = "clang"  # clang generates code for this processor


TVM_STEPS = (Step.RUN, Step.TVM_CODE, Step.TVM_TARGET)

Proofs = Mapping[bytes, tuple[Step, ...]]  # by canonical `code_options`


@dataclass(frozen=True, slots=True)
class LeafProof:
    """The steps that were taken for a leaf; none if its target is only a description."""

    pointer: str
    steps: tuple[Step, ...]

    @property
    def furthest(self) -> list[Step]:
        """The furthest step of each compiler."""
        tvm = [step for step in self.steps if step in TVM_STEPS][1:]
        return [step for step in self.steps if step not in tvm]


# Decision 076: only what code generation reads identifies a proof.
def code_options(leaf: Node, kinds: Kinds) -> dict[str, Json]:
    """Return the kind of a leaf and those of its own options that code generation depends on."""
    kind = kinds.targets[leaf.kind]
    own = {
        name: leaf.value[name]
        for name in leaf.value.keys() & kind.source.get("properties", {}).keys()
        if (option := kind.option(name)) and CODEGEN in option.consumers
    }
    return {"kind": leaf.kind, **own}


def find_proofs(target: Json, kinds: Kinds, proofs: Proofs) -> list[LeafProof]:
    """Return what is proven of each leaf of a target, hosts included; nothing of a mixin."""
    return [
        LeafProof(leaf.pointer, proofs.get(canonical(code_options(leaf, kinds)), ()))
        for leaf in leaves(target)
    ]
