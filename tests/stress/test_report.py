import pytest

from tests.stress.checker import Finding, Verdict
from tests.stress.records import Action, Answer, Attempt, Outcome, Records
from tests.stress.report import Injection, Run, render


@pytest.fixture
def run() -> Run:
    """Return a run of two faults with a write each; the second one is lost."""
    records = Records()
    for number, sent in (("1.0.0", 2), ("2.0.0", 12)):
        reference = f"stress/board@{number}"
        records.add(Attempt(number, Action.PUBLISH, "stress/board", sent, digest="sha256:0"))
        records.add(Outcome(number, sent + 1, 201, result=reference, digest="sha256:0"))
    for time in (0, 1, 9, 10, 12, 19):
        records.add(Answer("probe", "stress/probe", time, time, 200, is_probe=True))
    records.add(Attempt("refused", Action.YANK, "stress/board@1.0.0", sent=14))
    records.add(Outcome("refused", 15, 503, code="BUSY"))
    return Run(
        database="SQLite",
        seed=1,
        minutes=0.5,
        injections=[Injection("none", 0, 10), Injection("server killed", 10, 20)],
        records=records,
        findings=[Finding(Verdict.LOST, 13, "stress/board@2.0.0 is lost")],
        lockouts=[1.5, 0.5, 1.0],
        verification="Verified.",
    )


@pytest.mark.parametrize(
    "line",
    [
        "| none | 1 | 1 | 0 | 0 | 8.0 s |",
        "| server killed | 1 | 1 | 1 | 0 | 7.0 s |",
        "| **all** | 2 | 2 | 1 | 0 | 8.0 s |",
        "| server killed | 201: 1, 503 BUSY: 1 |",
        "- lost, during “server killed”: stress/board@2.0.0 is lost",
    ],
)
def test_findings_and_outages_are_counted_by_fault(run: Run, line: str) -> None:
    assert line in render(run).splitlines()


def test_the_longest_lockout_is_reported(run: Run) -> None:
    assert "locked out for at most 1.5 s, median 1.0 s." in render(run)
    run.lockouts.clear()
    assert "locked out" not in render(run)


def test_faults_that_were_left_out_are_named(run: Run) -> None:
    run.left_out.append("a full disk, because no tmpfs could be mounted")
    assert "Not injected: a full disk" in render(run)
