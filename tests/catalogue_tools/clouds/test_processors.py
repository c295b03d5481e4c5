"""The oldest of several processors is what all of them can run."""

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.clouds.processors import (
    GENERATIONS,
    MAX_TEXT,
    PLATFORMS,
    is_older,
    linux_target,
    oldest,
    processor_list,
)
from registry.domain.toolchains.triples import Triple
from registry.services.core import shipped_facts

ROWS = st.sampled_from(GENERATIONS)


@pytest.mark.parametrize(
    ("mcpus", "expected"),
    [
        (["cascadelake", "skylake-avx512"], "skylake-avx512"),
        (["emeraldrapids", "haswell", "icelake-server"], "haswell"),
        (["znver4", "znver3"], "znver3"),
        (["neoverse-n1"], "neoverse-n1"),
    ],
)
def test_oldest_processor_is_chosen(mcpus: list[str], expected: str) -> None:
    assert oldest(mcpus) == expected


def test_processors_of_two_makers_have_no_oldest() -> None:
    with pytest.raises(ValueError, match=r"broadwell.*znver2"):
        oldest(["znver2", "broadwell"])


@given(st.data())
def test_nothing_is_older_than_the_oldest(data: st.DataObject) -> None:
    mcpus = data.draw(st.lists(st.sampled_from(data.draw(ROWS)), min_size=1))
    assert oldest(mcpus) in mcpus
    assert not any(is_older(mcpu, oldest(mcpus)) for mcpu in mcpus)


def test_processors_of_two_makers_are_not_compared() -> None:
    assert is_older("znver2", "znver3")
    assert not is_older("znver2", "graniterapids")
    assert not is_older("graniterapids", "znver2")


@pytest.mark.parametrize(
    "mcpu", sorted({*PLATFORMS.values(), *(m for row in GENERATIONS for m in row)})
)
def test_llvm_knows_every_processor(mcpu: str) -> None:
    target = linux_target(mcpu)
    assert mcpu in shipped_facts.cpus()[Triple.parse(str(target["mtriple"])).arch]


def test_arm_and_x86_have_their_own_keys() -> None:
    assert linux_target("neoverse-v2")["keys"] == ["arm_cpu", "cpu"]
    assert linux_target("znver5")["keys"] == ["x86", "cpu"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["A (Ice Lake)"], "A (Ice Lake)"),
        (["A", "B"], "A or B"),
        (["A", "B", "C"], "A, B or C"),
        ([f"{'A' * MAX_TEXT} (Rome)", "B (Milan)", "C (Rome)"], "Rome or Milan"),
    ],
)
def test_processors_are_listed_as_text(names: list[str], expected: str) -> None:
    assert processor_list(names) == expected
