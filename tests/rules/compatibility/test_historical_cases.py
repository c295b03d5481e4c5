"""What people reported to fail, and what other tools refused though it runs."""

import pytest

from tests.rules.compatibility.historical_cases import FAILURES, FALSE_ALARMS, Leaf
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

MIN_CASES = 30


@pytest.mark.parametrize(("report", "code", "machine", "answer"), FAILURES)
def test_what_was_reported_to_fail_fails(
    report: str, code: Leaf, machine: Leaf, answer: Answer
) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, f"https://github.com/{report}: {result.reason}"


@pytest.mark.parametrize(("report", "code", "machine", "answer"), FALSE_ALARMS)
def test_what_ran_is_not_refused(report: str, code: Leaf, machine: Leaf, answer: Answer) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, f"https://github.com/{report}: {result.reason}"


def test_there_are_as_many_of_both() -> None:
    runs = [case for case in FALSE_ALARMS if case[3] is Answer.YES]
    assert len({report for report, *_ in FAILURES}) >= MIN_CASES
    assert len(runs) >= MIN_CASES


def test_wrong_results_without_a_fault_are_named_where_they_were_reported() -> None:
    reasons = {report: verdict(code, machine).reason for report, code, machine, _ in FAILURES}
    for report in ("BitFunnel/NativeJIT/issues/60", "ggml-org/llama.cpp/issues/11041"):
        assert "computes something else, without a fault" in reasons[report]
