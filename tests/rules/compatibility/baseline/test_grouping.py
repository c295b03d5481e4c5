"""Sharing builds among machines."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, strategies as st

from ttag_rules.compatibility.baseline import grouping
from ttag_rules.compatibility.baseline.grouping import MAX_EXACT, group

HASWELL = frozenset({"avx", "avx2", "fma"})
SKYLAKE = HASWELL | {"adx"}
XEON = SKYLAKE | {"avx512f", "avx512bw"}
ZEN = HASWELL | {"sse4a"}


def partitions(count: int) -> Iterator[list[list[int]]]:
    if count == 0:
        yield []
        return
    for groups in partitions(count - 1):
        for place in range(len(groups)):
            yield [
                [*members, count - 1] if index == place else members
                for index, members in enumerate(groups)
            ]
        yield [*groups, [count - 1]]


def loss(
    machines: Sequence[frozenset[str]], counts: Sequence[int], groups: Sequence[Sequence[int]]
) -> int:
    total = 0
    for members in groups:
        shared = frozenset.intersection(*(machines[index] for index in members))
        total += sum(counts[index] * len(machines[index] - shared) for index in members)
    return total


def test_one_build_has_what_all_machines_have() -> None:
    result = group([HASWELL, XEON], [1, 1], 1)
    assert result.groups == ((0, 1),)
    assert result.loss == len(XEON - HASWELL)


def test_a_second_build_goes_to_the_machine_that_loses_most() -> None:
    assert group([HASWELL, SKYLAKE, XEON], [1, 1, 1], 2).groups == ((0, 1), (2,))


def test_many_machines_of_one_kind_weigh_more() -> None:
    assert group([HASWELL, SKYLAKE, XEON], [1, 100, 1], 2).groups == ((0,), (1, 2))


def test_no_more_builds_than_machines() -> None:
    result = group([ZEN, XEON], [3, 4], 8)
    assert (result.groups, result.loss, result.is_optimal) == (((0,), (1,)), 0, True)


def test_machines_without_a_common_feature_share_an_empty_build() -> None:
    result = group([frozenset({"a"}), frozenset({"b"})], [1, 1], 1)
    assert (result.groups, result.loss) == (((0, 1),), 2)


@given(
    machines=st.lists(
        st.frozensets(st.sampled_from("abcdefg")), min_size=1, max_size=6, unique=True
    ),
    builds=st.integers(1, 4),
    numbers=st.lists(st.integers(1, 5), min_size=6, max_size=6),
)
def test_no_other_grouping_loses_less(
    machines: list[frozenset[str]], builds: int, numbers: list[int]
) -> None:
    counts = numbers[: len(machines)]
    result = group(machines, counts, builds)
    assert result.is_optimal
    assert sorted(index for members in result.groups for index in members) == [
        *range(len(machines))
    ]
    assert result.loss == loss(machines, counts, result.groups)
    candidates = (each for each in partitions(len(machines)) if len(each) <= builds)
    assert result.loss == min(loss(machines, counts, each) for each in candidates)


@pytest.mark.parametrize("builds", [1, 3, 8])
def test_more_machines_than_an_exact_search_takes_are_not_called_optimal(builds: int) -> None:
    machines = [frozenset({f"f{index}", "common"}) for index in range(MAX_EXACT + 1)]
    result = group(machines, [1] * len(machines), builds)
    assert not result.is_optimal
    assert len(result.groups) == builds


def test_a_search_that_takes_too_long_is_not_called_optimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grouping, "MAX_STEPS", 3)
    machines = [frozenset({"ab"[index % 2], f"f{index}"}) for index in range(8)]
    assert not group(machines, [1] * 8, 3).is_optimal
