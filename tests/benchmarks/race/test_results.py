"""Rounds of the race, and ratios within them."""

from functools import partial

import pytest

from benchmarks.race.contenders import Contenders
from benchmarks.race.results import WARM_UP, Spread, number, rate, ratio, run_rounds

pytestmark = pytest.mark.any_database


def test_every_round_begins_with_another_contender() -> None:
    calls: list[str] = []

    def measure(name: str, _seconds: int) -> float:
        calls.append(name)
        return 1.0

    contenders: Contenders = {name: partial(measure, name) for name in "abc"}
    rounds = run_rounds(contenders, rounds=2, seconds=3)
    assert "".join(calls) == "abc" + "abc" + "bca"
    assert [list(rates) for rates in rounds] == [["a", "b", "c"]] * 2


def test_the_warm_up_is_not_counted() -> None:
    rounds = run_rounds({"a": float}, rounds=1, seconds=WARM_UP + 2)
    assert rounds == [{"a": WARM_UP + 2.0}]


def test_ratios_are_computed_within_rounds() -> None:
    rounds = [{"a": 10.0, "b": 5.0}, {"a": 30.0, "b": 10.0}, {"a": 4.0, "b": 4.0}]
    assert rate(rounds, "a") == Spread(median=10.0, minimum=4.0, maximum=30.0)
    assert ratio(rounds, "a", "b") == Spread(median=2.0, minimum=1.0, maximum=3.0)


@pytest.mark.parametrize(
    ("value", "text"),
    [(26.4, "26.4"), (0.6449, "0.64"), (0.0271, "0.027"), (1.3, "1.30"), (128.4, "128")],
)
def test_ratios_have_two_or_three_digits(value: float, text: str) -> None:
    assert number(value) == text
