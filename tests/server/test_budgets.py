"""The processor time that each network may take."""

from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given, settings, strategies as st

from registry.server import budgets
from registry.server.budgets import ALWAYS, BURST, TYPICAL, Budget

PERSON, CROWD = "192.0.2.1", [f"198.51.100.{number}" for number in range(8)]
SHARE = 0.15
COSTS = st.floats(0.02, 0.5)  # seconds of processor time of a page


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> Budget:
    return Budget(SHARE, clock=clock)


def load(budget: Budget, network: str, seconds: float = TYPICAL) -> float:
    """Load a page that takes so long; return the pause before it."""
    turn = budget.reserve(network)
    budget.settle(turn, seconds)
    return turn.pause


def read_without_a_pause(
    networks: list[str], until: float, cost: Callable[[], float]
) -> dict[str, float]:
    """Return the processor time of networks that always ask for the next page at once."""
    clock, taken = Clock(), dict.fromkeys(networks, 0.0)
    budget, start = Budget(SHARE, clock=clock), clock.now
    waiting = [(start + turn.pause, turn) for turn in map(budget.reserve, networks)]
    while clock.now < start + until:
        waiting.sort()
        moment, turn = waiting.pop(0)
        seconds = cost()
        clock.now = max(clock.now, moment) + seconds  # a thread computes one page at a time
        taken[turn.network] += seconds
        budget.settle(turn, seconds)
        turn = budget.reserve(turn.network)
        waiting.append((clock.now + turn.pause, turn))
    return taken


def test_thirty_pages_at_once_do_not_wait(budget: Budget) -> None:
    turns = [budget.reserve(PERSON) for _ in range(30)]
    for turn in turns:
        budget.settle(turn, 0.06)
    assert [turn.pause for turn in turns] == [0] * 30


@pytest.mark.parametrize(("interval", "seconds"), [(2, 0.04), (1, 0.1), (10, 1), (0.2, 0.02)])
def test_a_crawl_never_waits(budget: Budget, clock: Clock, interval: float, seconds: float) -> None:
    for _ in range(2000):
        assert load(budget, PERSON, seconds) == 0
        clock.now += interval


def test_a_reader_without_a_pause_waits_and_others_do_not(budget: Budget) -> None:
    assert any(load(budget, CROWD[0]) for _ in range(100))
    assert budget.reserve(PERSON).pause == 0


@settings(max_examples=20)
@given(st.lists(COSTS, min_size=1, max_size=20))
def test_a_network_takes_its_burst_and_its_share_and_no_more(costs: list[float]) -> None:
    numbers = count()
    taken = read_without_a_pause([PERSON], 60, lambda: costs[next(numbers) % len(costs)])
    assert taken[PERSON] <= BURST + 60 * SHARE + 2 * max(costs) + TYPICAL
    assert taken[PERSON] >= 60 * SHARE - 2 * max(costs)


@pytest.mark.parametrize("seconds", [0.02, 0.1])
def test_a_crowd_shares_one_share_in_equal_parts(seconds: float) -> None:
    before, after = (read_without_a_pause(CROWD, until, lambda: seconds) for until in (100, 300))
    taken = {network: after[network] - before[network] for network in CROWD}
    assert sum(taken.values()) <= 200 * max(SHARE, ALWAYS * len(CROWD)) * 1.1
    assert max(taken.values()) <= 1.2 * min(taken.values()) + seconds


def test_more_connections_are_no_greater_part() -> None:
    one, many = CROWD[:2]
    taken = read_without_a_pause([one, *[many] * 16], 300, lambda: 0.05)
    assert taken[one] == pytest.approx(taken[many], rel=0.2)


def test_a_burst_is_saved_up_again(budget: Budget, clock: Clock) -> None:
    assert any(load(budget, PERSON) for _ in range(100))
    clock.now += BURST / ALWAYS + 1
    assert [load(budget, PERSON) for _ in range(30)] == [0] * 30


def test_what_never_ran_is_given_back(budget: Budget) -> None:
    for _ in range(10_000):
        assert load(budget, PERSON, 0) == 0


def test_networks_that_owe_nothing_take_no_memory(
    budget: Budget, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "MANY", 10)
    budget = Budget(SHARE, clock=clock)
    for number in range(1000):
        load(budget, f"198.51.100.{number}")
        clock.now += 1
    assert len(budget._taken._even) <= 150
