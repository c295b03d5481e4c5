"""The recorded proofs are what the compilers do: of a sample that changes daily, or of all."""

import random
import re

import pytest

from registry.domain.proofs import Compiler, Proof, Reach
from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.domain.shipped import library
from tests.profiles import is_thorough
from tests.tvm.building_proofs import Builders
from tests.tvm.compiler import compiler
from tests.tvm.proofs import (
    WORKER,
    catalogue_readings,
    processor,
    recorded_versions,
    versions,
)

SAMPLES = {Compiler.TVM: 40, Compiler.CLANG: 40, Compiler.IREE: 8}  # IREE takes a second each
WARNING_OR_TIME = re.compile(r"[Ww]arning: |\d\d:\d\d:\d\d")
RECORDED = [
    (name, read) for name, rows in shipped_facts.compiler_facts().proofs.items() for read in rows
]


def sampled() -> list[tuple[Compiler, bytes]]:
    """Return readings to build again: with --thorough all, else a sample."""
    if is_thorough():
        return RECORDED
    chosen = random.Random(1)  # noqa: S311 - which tests run is no secret
    return [
        (name, read)
        for name, number in SAMPLES.items()
        for read in chosen.sample([read for other, read in RECORDED if other is name], number)
    ]


@pytest.fixture(scope="module")
def builders(python: str, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    pytest.importorskip("iree.compiler.tools.binaries")
    tools.clang()
    folder = tmp_path_factory.mktemp("builders")
    with compiler(python, folder / "log", WORKER) as tvm:
        yield Builders(tvm, folder)


def test_all_that_compilers_read_of_the_catalogue_is_recorded() -> None:
    assert {*RECORDED} == catalogue_readings(sorted(library().versions)).keys()


def test_versions_are_those_of_the_compilers() -> None:
    recorded = recorded_versions()
    assert {**versions(), "processor": ""} == {**recorded, "processor": ""}


def test_compilers_get_as_far_as_recorded(builders: Builders) -> None:
    is_same = recorded_versions()["processor"] == processor()
    recorded = shipped_facts.compiler_facts().proofs
    different = {}
    for name, read in sampled():
        expected, proof = recorded[name][read], builders.proof(name, read)
        if not is_same:  # another processor may run what this one cannot
            expected, proof = _without_run(expected), _without_run(proof)
        if proof != expected:
            different[name, read] = proof
    assert not different


def test_no_recorded_reason_is_a_warning_or_states_a_time() -> None:
    wrong = {
        read: proof.reason
        for rows in shipped_facts.compiler_facts().proofs.values()
        for read, proof in rows.items()
        if WARNING_OR_TIME.search(proof.reason)
    }
    assert not wrong


def test_no_format_is_served_that_its_compiler_refuses() -> None:
    refused = [
        read
        for name in (Compiler.IREE, Compiler.CLANG)
        for read, proof in shipped_facts.compiler_facts().proofs[name].items()
        if proof.reach is Reach.REFUSED
    ]
    assert not refused


def _without_run(proof: Proof) -> Proof:
    return Proof(Reach.ARTEFACT) if proof.reach is Reach.RUN else proof
