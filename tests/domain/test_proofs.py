"""A proof holds for all targets of which a compiler reads the same, and for no others."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json, canonical
from registry.domain.proofs import (
    Compiler,
    CompilerFacts,
    LeafSteps,
    Proof,
    Reach,
    Step,
    building_compilers,
    compiler_proofs,
    leaf_steps,
    read_by_tvm,
    readings,
    whole_proof,
)
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS, target_of
from tests.domain.strategies import targets

CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "cortex-a72"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_87"}
CLANG_FLAGS = b"--target=aarch64-unknown-linux-gnu -mcpu=cortex-a72\n"
LOCAL = (
    b"--iree-hal-target-device=local\n--iree-hal-local-target-device-backends=llvm-cpu\n"
    b"--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu\n--iree-llvmcpu-target-cpu=cortex-a72\n"
)
BUILT = Proof(Reach.ARTEFACT)
NO_GPU = Proof(Reach.REFUSED, "it was built without cuda")


def facts_of(tvm: Mapping[bytes, Proof] | None = None) -> CompilerFacts:
    """Return facts with proofs of all compilers for the CPU, and these of TVM."""
    releases = {Compiler.TVM: "1.0", Compiler.IREE: "2.0", Compiler.CLANG: "3"}
    proofs = {
        Compiler.TVM: {canonical(CPU): BUILT, **(tvm or {})},
        Compiler.IREE: {LOCAL: BUILT},
        Compiler.CLANG: {CLANG_FLAGS: BUILT},
    }
    return CompilerFacts(releases, proofs, shipped_facts.cpus())


def reaches(body: Any, facts: CompilerFacts | None = None) -> dict[Compiler, Reach]:
    """Return how far each compiler gets with the whole of a body."""
    proofs = compiler_proofs(target_of(body), KINDS, facts or facts_of())
    return {each.compiler: each.proof.reach for each in proofs}


@pytest.mark.parametrize(
    "others",
    [
        {"num-cores": 4},
        {"keys": ["arm_cpu", "cpu"], "device": "arm_cpu", "model": "rk3399"},
        {"hardware": {"vendor": "Acme"}},
    ],
)
def test_a_proof_holds_whatever_a_compiler_does_not_read(others: dict[str, Any]) -> None:
    assert set(reaches(CPU | others).values()) == {Reach.ARTEFACT}


@pytest.mark.parametrize("change", [{"mcpu": "cortex-a53"}, {"mattr": ["+crc"]}])
def test_a_target_that_a_compiler_reads_differently_is_untested(change: dict[str, Any]) -> None:
    assert set(reaches(CPU | change).values()) == {Reach.UNTESTED}
    assert building_compilers(target_of(CPU | change), KINDS, facts_of()) == []


@pytest.mark.parametrize(
    "change",
    [{"executor": "aot"}, {"runtime": "cpp"}, {"libs": ["mkl"]}, {"flow": {"link-params": True}}],
)
def test_what_only_tvm_reads_needs_a_proof_of_tvm_only(change: dict[str, Any]) -> None:
    assert reaches(CPU | change) == {
        Compiler.TVM: Reach.UNTESTED,
        Compiler.IREE: Reach.ARTEFACT,
        Compiler.CLANG: Reach.ARTEFACT,
    }


def test_leaves_are_proven_without_executor_and_runtime() -> None:
    target = target_of({**CPU, "executor": "graph", "runtime": "crt"})
    reason = "it has the executor graph"
    refused = {canonical(read_by_tvm(target, KINDS)): Proof(Reach.REFUSED, reason)}
    tvm, *_ = compiler_proofs(target, KINDS, facts_of(refused))
    assert (tvm.proof.reach, tvm.proof.reason) == (Reach.REFUSED, reason)
    assert [(node.pointer, node.proof) for node in tvm.nodes] == [("", BUILT)]


def test_clang_builds_no_device_though_it_has_flags_for_the_host() -> None:
    target = target_of({**GPU, "host": CPU})
    proof = whole_proof(Compiler.CLANG, target, KINDS, facts_of())
    assert proof.reason == "clang compiles no device of the kind cuda, only its host"
    *_, clang = compiler_proofs(target, KINDS, facts_of())
    assert {node.pointer: node.proof.reach for node in clang.nodes} == {
        "": Reach.REFUSED,
        "/host": Reach.ARTEFACT,
    }


def test_iree_is_refused_by_the_reason_of_its_format() -> None:
    target = target_of({"kind": "cuda", "arch": "sm_53", "host": CPU})
    proof = whole_proof(Compiler.IREE, target, KINDS, facts_of())
    assert proof.reach is Reach.REFUSED
    assert proof.reason.startswith("IREE does not support the arch sm_53; expected one of sm_60")


@pytest.mark.parametrize("label", ["a", "z"])
def test_a_whole_is_not_built_if_a_format_leaves_out_a_device(label: str) -> None:
    body = {"kind": "composite", "devices": {"m": CPU, label: "opencl"}, "host": CPU}
    proof = whole_proof(Compiler.IREE, target_of(body), KINDS, facts_of())
    assert proof.reason == f"/devices/{label}: IREE generates no code for the kind opencl"


def test_a_whole_of_devices_that_iree_describes_is_built() -> None:
    body = {"kind": "composite", "devices": {"m": CPU}, "host": CPU}
    assert whole_proof(Compiler.IREE, target_of(body), KINDS, facts_of()) == BUILT


def test_what_a_code_generator_compiles_no_compiler_here_does() -> None:
    body = {"kind": "byoc", "codegen": "ethos-u", "devices": [CPU], "host": CPU}
    for each in compiler_proofs(target_of(body), KINDS, facts_of()):
        inner = {node.pointer: node.proof for node in each.nodes}
        assert inner["/devices/0"].reason == "the code generator ethos-u compiles it"


def test_a_mixin_has_no_proofs() -> None:
    mixin: Json = {"executor": {"kind": "aot"}}
    assert compiler_proofs(mixin, KINDS, facts_of()) == []
    assert building_compilers(mixin, KINDS, facts_of()) == []
    assert list(readings(mixin, KINDS, shipped_facts.cpus())) == []


def test_refusals_and_untested_targets_do_not_count_as_built() -> None:
    target = target_of({**GPU, "host": CPU})
    facts = facts_of({canonical(read_by_tvm(target, KINDS)): NO_GPU})
    assert building_compilers(target, KINDS, facts) == []
    assert building_compilers(target_of(CPU), KINDS, facts) == [*Compiler]


@given(targets)
def test_every_target_has_a_row_of_each_compiler_and_refusals_a_reason(body: Any) -> None:
    target = target_of(body)
    proofs = compiler_proofs(target, KINDS, facts_of())
    assert [each.compiler for each in proofs] in ([*Compiler], [])
    for proof in [each.proof for each in proofs]:
        assert bool(proof.reason) == (proof.reach is Reach.REFUSED)


@given(targets)
def test_no_compiler_reads_facts_of_the_hardware(body: Any) -> None:
    """So the index looks once at all machines with one CPU."""
    target = {name: value for name, value in target_of(body).items() if name != "hardware"}
    hardware = {"vendor": "V", "model": "V 1", "family": "F", "cores": 3, "category": "soc"}
    described = {**target, "hardware": hardware}
    cpus = shipped_facts.cpus()
    assert list(readings(described, KINDS, cpus)) == list(readings(target, KINDS, cpus))
    for compiler in Compiler if target.get("kind") else ():
        proofs = [whole_proof(compiler, each, KINDS, facts_of()) for each in (described, target)]
        assert proofs[0] == proofs[1]


def test_steps_are_as_release_0_1_listed_them() -> None:
    target = target_of({**GPU, "host": CPU})
    run = Proof(Reach.RUN)
    steps = leaf_steps(compiler_proofs(target, KINDS, facts_of({canonical(CPU): run})))
    assert steps == [
        LeafSteps("", ()),
        LeafSteps("/host", (Step.RUN, Step.TVM_CODE, Step.TVM_TARGET, Step.IREE, Step.CLANG)),
    ]
