"""Proofs of how far compilers get with a target, by what each of them reads of it.

TVM reads a target without facts for people and for tuning; IREE and clang read their flags. So a
recorded proof holds for every target of which a compiler reads the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from registry.domain.closed_nodes import close_node
from registry.domain.document import Json, canonical
from registry.domain.errors import Refused, echo
from registry.domain.exporting import Loss, Subject
from registry.domain.formats import FORMATS
from registry.domain.keys.tuning import leaves
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME, Kinds
from registry.domain.resolution.composition import is_mixin
from registry.domain.toolchains.flags import cpu_kinds
from ttag_rules.closed_nodes import ClosedNode
from ttag_rules.nodes import HOST, Node
from ttag_rules.pointer import ROOT, child

CODEGEN = "codegen"
ENABLE_BYOC = "enable-byoc"
OF_GRAPHS = frozenset({EXECUTOR, RUNTIME, "libs"})
MAX_NODES = 64  # of a target; the largest of the catalogue has 12
SETTINGS = ("codegen", "libs", EXECUTOR, RUNTIME, FLOW)  # of a node, besides its kind's own
UNNAMED = "the target"  # in reasons, which name no tag


class Compiler(StrEnum):
    """A compiler with which the catalogue is built."""

    TVM = "tvm"
    IREE = "iree"
    CLANG = "clang"


class Reach(StrEnum):
    """The last stage that a compiler reaches."""

    RUN = "run"  # its code computed the right result
    ARTEFACT = "artefact"  # its machine code was read back: format and architecture
    SOURCE = "source"  # it writes source text or assembly, which nothing here assembles
    REFUSED = "refused"
    UNTESTED = "untested"  # no target of the catalogue is read alike


BUILT = frozenset({Reach.RUN, Reach.ARTEFACT, Reach.SOURCE})


@dataclass(frozen=True, slots=True)
class Proof:
    """A record of how far a compiler got, and the reason if it refused."""

    reach: Reach
    reason: str = ""


Reading = tuple[Compiler, bytes]  # a compiler, and what it reads of a target
UNTESTED = Proof(Reach.UNTESTED)


@dataclass(frozen=True, slots=True)
class CompilerFacts:
    """The releases of the compilers, and their proofs by what they read of a target.

    `cpus` are the CPU names that LLVM knows, by architecture.
    """

    releases: Mapping[Compiler, str]
    proofs: Mapping[Compiler, Mapping[bytes, Proof]]
    cpus: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class NodeProof:
    """The proof for one leaf by itself, without executor and runtime."""

    pointer: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class CompilerProof:
    """The proof of one compiler for a whole target, and those for each leaf."""

    compiler: Compiler
    release: str
    proof: Proof
    nodes: tuple[NodeProof, ...]


def compiler_proofs(target: Json, kinds: Kinds, facts: CompilerFacts) -> list[CompilerProof]:
    """Return how far each compiler gets with a target and its first 64 leaves; none for a mixin."""
    if is_mixin(target):
        return []
    closed = list(_closed_leaves(target))
    return [
        CompilerProof(
            compiler,
            facts.releases[compiler],
            whole_proof(compiler, target, kinds, facts),
            tuple(NodeProof(node.pointer, _proof(compiler, node, kinds, facts)) for node in closed),
        )
        for compiler in Compiler
    ]


def building_compilers(target: Json, kinds: Kinds, facts: CompilerFacts) -> list[Compiler]:
    """Return the compilers that build a whole target; none for a mixin."""
    if is_mixin(target):
        return []
    whole = close_node(target, ROOT)
    return [
        compiler for compiler in Compiler if _proof(compiler, whole, kinds, facts).reach in BUILT
    ]


def whole_proof(compiler: Compiler, target: Json, kinds: Kinds, facts: CompilerFacts) -> Proof:
    """Return how far a compiler gets with a whole target: all of its devices."""
    return _proof(compiler, close_node(target, ROOT), kinds, facts)


def readings(target: Json, kinds: Kinds, cpus: Mapping[str, frozenset[str]]) -> Iterator[Reading]:
    """Yield what each compiler reads of a target and of its leaves; nothing of what it refuses."""
    if is_mixin(target):
        return
    for node in (close_node(target, ROOT), *_closed_leaves(target)):
        for compiler in Compiler:
            read = _read(compiler, node, kinds, cpus)
            if isinstance(read, bytes):
                yield compiler, read


# Decision 132, instead of decision 76: a tag is a whole, of which a leaf alone tells too little.
def read_by_tvm(target: Mapping[str, Any], kinds: Kinds) -> dict[str, Json]:
    """Return what TVM reads of a target to build it, without what only steers tuning."""
    node = Node(ROOT, dict(target))
    read: dict[str, Json] = _code_options(node, kinds) if node.is_leaf else {"kind": node.kind}
    read |= {name: target[name] for name in SETTINGS if target.get(name)}
    if HOST in target:
        read[HOST] = read_by_tvm(target[HOST], kinds)
    if "devices" in target:
        devices = target["devices"]
        each = devices.values() if isinstance(devices, dict) else devices
        read["devices"] = [read_by_tvm(device, kinds) for device in each]
    return read


def _proof(compiler: Compiler, node: ClosedNode, kinds: Kinds, facts: CompilerFacts) -> Proof:
    """Return how far a compiler gets with a closed node."""
    read = _read(compiler, node, kinds, facts.cpus)
    return read if isinstance(read, Proof) else facts.proofs[compiler].get(read, UNTESTED)


def _read(
    compiler: Compiler, node: ClosedNode, kinds: Kinds, cpus: Mapping[str, frozenset[str]]
) -> bytes | Proof:
    """Return what a compiler reads of a closed node, or a refusal if it would not build all."""
    kind = node.target["kind"]
    if node.codegens:
        return _refused(f"the code generator {node.codegens[0]} compiles it")
    if compiler is Compiler.TVM:
        return canonical(read_by_tvm(node.target, kinds))
    if compiler is Compiler.CLANG and kind not in cpu_kinds(kinds):
        return _refused(f"clang compiles no device of the kind {echo(kind)}, only its host")
    try:
        export = FORMATS[compiler].write(Subject(UNNAMED, node.target, kinds, cpus=cpus))
    except Refused as refusal:
        return _refused(refusal.faults[0].message if refusal.faults else refusal.detail)
    reason = next(_devices_left_out(node.target, export.dropped), "")
    return _refused(reason) if reason else export.text.encode()


def _refused(reason: str) -> Proof:
    return Proof(Reach.REFUSED, reason)


def _devices_left_out(target: Json, dropped: tuple[Loss, ...]) -> Iterator[str]:
    """Yield the reasons why a format leaves out devices; hosts only call them."""
    reasons = {loss.pointer: loss.reason for loss in dropped}
    for leaf in leaves(target):
        places = [child(leaf.pointer, "kind"), leaf.pointer]
        places += [outer.pointer for outer in leaf.enclosing]
        if not any(each.is_host for each in (leaf, *leaf.enclosing[:-1])):
            yield from (f"{leaf.pointer}: {reasons[place]}" for place in places if place in reasons)


def _closed_leaves(target: Json) -> Iterator[ClosedNode]:
    """Yield the first leaves as their functions are compiled.

    They come without what calls their functions, and without libraries and code generators, which
    take parts of a graph before.
    """
    for leaf in islice(leaves(target), MAX_NODES):
        node = close_node(target, leaf.pointer)
        functions = {name: value for name, value in node.target.items() if name not in OF_GRAPHS}
        if flow := functions.pop(FLOW, {}):
            functions[FLOW] = {name: each for name, each in flow.items() if name != ENABLE_BYOC}
        yield replace(node, target=functions)


def _code_options(leaf: Node, kinds: Kinds) -> dict[str, Json]:
    """Return the kind of a leaf and those of its own options that code generation depends on."""
    kind = kinds.targets[leaf.kind]
    own = {
        name: leaf.value[name]
        for name in leaf.value.keys() & kind.source.get("properties", {}).keys()
        if (option := kind.option(name)) and CODEGEN in option.consumers
    }
    return {"kind": leaf.kind, **own}


class Step(StrEnum):
    """A step of a compiler as release 0.1 listed it for leaves, the furthest first."""

    RUN = "run"
    TVM_CODE = "tvm-code"
    TVM_TARGET = "tvm-target"  # TVM accepts the target
    IREE = "iree"
    CLANG = "clang"


@dataclass(frozen=True, slots=True)
class LeafSteps:
    """The steps that compilers took for a leaf."""

    pointer: str
    steps: tuple[Step, ...]


def leaf_steps(proofs: Sequence[CompilerProof]) -> list[LeafSteps]:
    """Return what is proven of each leaf, in the form that release 0.1 gave it."""
    steps: dict[str, list[Step]] = {}
    for each in proofs:
        for node in each.nodes:
            steps.setdefault(node.pointer, []).extend(_steps(each.compiler, node.proof.reach))
    return [LeafSteps(pointer, tuple(taken)) for pointer, taken in steps.items()]


def _steps(compiler: Compiler, reach: Reach) -> Sequence[Step]:
    if reach not in BUILT:
        return ()
    if compiler is not Compiler.TVM:
        return (Step(compiler),)
    steps = (Step.RUN, Step.TVM_CODE, Step.TVM_TARGET)
    return steps if reach is Reach.RUN else steps[1:]
