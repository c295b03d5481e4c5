"""The oldest of several processors is what all of them can run."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.clouds.processors import (
    GENERATIONS,
    MAX_TEXT,
    PLATFORMS,
    common,
    implied_features,
    is_older,
    linux_target,
    oldest,
    processor_list,
)
from registry.services.core import shipped_facts
from ttag_rules.triples import Triple

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


@pytest.mark.parametrize(
    ("mcpus", "expected"),
    [
        (["znver2", "broadwell"], "x86-64-v3"),
        (["znver4", "sapphirerapids"], "x86-64-v4"),
        (["znver4", "cascadelake", "haswell"], "x86-64-v3"),
        (["znver1", "ivybridge"], "x86-64-v2"),
        (["cascadelake", "skylake-avx512"], "skylake-avx512"),
        (["cooperlake", "broadwell"], "broadwell"),
        (["cooperlake", "icelake-server"], "x86-64-v4"),  # each has what the other lacks
    ],
)
def test_processors_of_two_makers_share_a_level(mcpus: list[str], expected: str) -> None:
    assert common(mcpus) == expected


@pytest.mark.parametrize("mcpus", [["neoverse-n1", "haswell"], ["neoverse-v2", "neoverse-n3"]])
def test_processors_that_share_no_level_are_refused(mcpus: list[str]) -> None:
    with pytest.raises(ValueError, match="no processor is the oldest"):
        common(mcpus)


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


@pytest.mark.parametrize("generations", [row for row in GENERATIONS if "neoverse-n1" not in row])
def test_later_processors_have_the_features_of_earlier_ones(generations: tuple[str, ...]) -> None:
    for older, newer in pairwise(generations):
        assert implied_features(older) <= implied_features(newer), (older, newer)


def test_list_too_long_is_cut_with_others() -> None:
    text = processor_list([f"Intel Xeon Platinum {number}C" for number in range(8000, 8010)])
    assert len(text) <= MAX_TEXT
    assert text.endswith(" or others")
