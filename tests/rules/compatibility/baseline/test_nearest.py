"""Targets that come nearest to a build."""

import pytest
from hypothesis import given, reject, strategies as st

from tests.rules.compatibility.baseline.test_baseline import Target, cpu
from tests.rules.compatibility.test_laws import architectures, leaves
from ttag_rules.compatibility.baseline import nearest
from ttag_rules.compatibility.baseline.baseline import TooFewBuilds, baseline
from ttag_rules.compatibility.baseline.nearest import Candidate, Nearest, least_losses
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

HASWELL, NEHALEM, ZEN = cpu("haswell"), cpu("nehalem"), cpu("znver4")


def test_the_build_itself_loses_what_the_baseline_says() -> None:
    machines = [HASWELL, ZEN, ZEN]
    result = baseline(machines)
    (build,) = result.builds
    nearest = least_losses(build.target, machines, [build.target])
    assert nearest == Nearest((Candidate(0, result.loss),), ())


def test_those_that_lose_more_or_do_not_run_are_left_out() -> None:
    candidates = [NEHALEM, HASWELL, ZEN, cpu("haswell", "x86_64-unknown-linux-musl"), HASWELL]
    best = least_losses(HASWELL, [HASWELL, ZEN], candidates)
    assert [each.index for each in best.candidates] == [1, 4]
    assert best.unseen == ()


def test_conditions_are_not_near_enough() -> None:
    assert least_losses(HASWELL, [HASWELL], [cpu("haswell", mattr=["+aes"])]) == Nearest((), ())


def test_verdicts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "MAX_VERDICTS", 2)
    best = least_losses(HASWELL, [HASWELL, ZEN], [HASWELL, HASWELL, NEHALEM])
    assert [each.index for each in best.candidates] == [0]
    assert best.unseen == (1,)


def test_without_any_verdict_all_that_could_be_near_are_unseen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nearest, "MAX_VERDICTS", 1)
    best = least_losses(HASWELL, [HASWELL, ZEN], [ZEN, HASWELL, NEHALEM])
    assert best == Nearest((), (1, 2))


@given(
    architectures.flatmap(
        lambda name: st.tuples(
            st.lists(leaves(name), min_size=1, max_size=3),
            st.lists(leaves(name), min_size=1, max_size=6),
        )
    )
)
def test_no_other_candidate_that_runs_everywhere_loses_less(
    drawn: tuple[list[Target], list[Target]],
) -> None:
    machines, candidates = drawn
    try:
        (build,) = baseline(machines).builds
    except TooFewBuilds:
        reject()
    best = least_losses(build.target, machines, candidates).candidates
    losses = {
        index: loss[0].loss
        for index, candidate in enumerate(candidates)
        if (loss := least_losses(build.target, machines, [candidate]).candidates)
    }
    assert {each.index for each in best} == {
        index for index, loss in losses.items() if loss == min(losses.values())
    }
    for index in losses:
        answers = {verdict(candidates[index], machine).answer for machine in machines}
        assert answers == {Answer.YES}
