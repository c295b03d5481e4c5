import pytest

from tests.stress.crowd.measurements import (
    Lookups,
    Phase,
    first_success,
    jobs,
    measure,
    processor_shares,
    ratio,
)
from tests.stress.crowd.resolves import Answers


@pytest.fixture
def answers() -> Answers:
    """Return ten answers a second for ten seconds, and five a second for ten more."""
    answers = Answers()
    for number in range(100):
        answers.add(number / 10, 0.01, 200, 0)
    for number in range(50):
        answers.add(10 + number / 5, 0.03, 200 if number else 503, 1)
    return answers


def test_rates_count_what_succeeded_in_a_phase(answers: Answers) -> None:
    alone = measure(answers, Phase(0, 10, Lookups(75, 100)))
    assert (alone.rate, alone.misses, alone.refused) == (10, 2.5, 0)
    beside = measure(answers, Phase(10, 20))
    assert (beside.rate, beside.refused) == (4.9, 1)
    assert beside.longest == pytest.approx(0.03)


def test_ratio_is_that_of_the_second_phase_of_each_pair(answers: Answers) -> None:
    assert ratio(answers, [(Phase(0, 10), Phase(10.1, 20.1))]) == pytest.approx(0.49)


def test_phases_without_answers_have_no_figures_and_do_not_fail() -> None:
    assert ratio(Answers(), [(Phase(0, 1), Phase(1, 2))]) == 0
    assert measure(Answers(), Phase(0, 1)).longest == 0


def test_first_success_is_of_a_request_that_was_sent_after_the_moment(answers: Answers) -> None:
    assert first_success(answers, 0, 4.995) == 5.1
    assert first_success(answers, 1, 9.9) == 10.2, "the one before was refused"
    assert first_success(answers, 0, 10) == float("inf")


def test_processor_time_is_that_of_jobs() -> None:
    lines = [
        f'registry_request_processor_seconds_total{{method="{method}",route="{route}"}} {seconds}'
        for method, route, seconds in (
            ("GET", "api/v1/resolve/<reference>", 1.5),
            ("POST", "api/v1/versions/<tag>", 2),
            ("GET", "tags/", 4),
            ("GET", "api/v1/tags", 8),
            ("POST", "accounts/signup/", 16),
            ("GET", "metrics", 32),
        )
    ]
    assert jobs("\n".join(lines * 2)) == {
        "resolves of Django": 3,
        "publications": 4,
        "pages and lists": 24,
        "sign-ups": 32,
    }


def test_shares_are_seconds_a_second() -> None:
    phases = [
        Phase(0, 10, processor={"the nodes": 5.0}),
        Phase(20, 30, processor={"the nodes": 15.0}),
    ]
    assert processor_shares(phases) == {"the nodes": 1.0}
