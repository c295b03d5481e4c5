"""The recorded steps are those that the compilers take."""

import pytest
from registry.domain.keys.proofs import Step

from registry.domain.document import canonical
from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.domain.shipped import library, sample
from tests.profiles import is_thorough
from tests.tvm.compiler import Compiler
from tests.tvm.proofs import Compilers, distinct_leaves, processor

LEAVES = {canonical(leaf): leaf for leaf in distinct_leaves(sample())}


@pytest.fixture(scope="module")
def compilers(tvm: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Compilers:
    pytest.importorskip("iree.compiler.tools.binaries")
    tools.clang()
    return Compilers(tvm, tmp_path_factory.mktemp("compilers"))


def test_every_leaf_of_the_catalogue_is_recorded() -> None:
    recorded = shipped_facts.proofs().keys()
    assert recorded == {canonical(leaf) for leaf in distinct_leaves(library().versions)}


def test_versions_are_those_of_the_compilers(compilers: Compilers) -> None:
    recorded = shipped_facts.proof_versions()
    assert {**compilers.versions(), "processor": ""} == {**recorded, "processor": ""}


def candidates() -> list[Step]:
    """Return the steps to take again: IREE takes a second each, and this may be another machine."""
    is_same = shipped_facts.proof_versions()["processor"] == processor()
    left_out = {*(() if is_thorough() else (Step.IREE,)), *(() if is_same else (Step.RUN,))}
    return [step for step in Step if step not in left_out]


@pytest.mark.parametrize("key", LEAVES, ids=bytes.decode)
def test_steps_are_those_recorded(compilers: Compilers, key: bytes) -> None:
    recorded = [step for step in shipped_facts.proofs()[key] if step in candidates()]
    assert [*compilers.steps(LEAVES[key], candidates())] == recorded
