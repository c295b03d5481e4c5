"""The report sets figures beside their goals, and names what was found."""

from collections import Counter

import pytest

from tests.stress.checker import Finding, Verdict
from tests.stress.crowd.measurements import Figures, Replacement
from tests.stress.crowd.report import Run, render


@pytest.fixture
def run() -> Run:
    quiet = Figures(1000, 20, 0.002, 0.01, 0.05, 0)
    return Run(
        database="PostgreSQL",
        nodes=2,
        tags=12_000,
        minutes=2,
        connections=16,
        quiet=quiet,
        disturbed=Figures(700, 30, 0.004, 0.09, 0.25, 3),
        ratio=0.7,
        longest=0.25,
        late={"at all": 1, "by more than 2 s": 0},
        findings=[],
        done=Counter(pages=5),
        verification="Verified.",
        writes=40,
        publications=9.5,
        replacement=Replacement(begin=100, promoted=108.5, written=110, end=109),
        refused=7,
    )


@pytest.mark.parametrize(
    "line",
    [
        "| resolves/s beside the crowd : alone | 0.70 | 0.8 |",
        "| longest resolve, outside the replacement | 250 ms | 100 ms |",
        "| findings: stale, wrong, lost | 0 | 0 |",
        "| publications/s beside builds | 9.5 | 10 |",
        "| from the promotion to resolves of all nodes | 0.5 s | 1 s |",
        "| from the promotion to an acknowledged write | 1.5 s |  |",
        "| beside the crowd | 700 | 30 | 4.0 ms | 90 ms | 250 ms | 3 |",
    ],
)
def test_figures_stand_beside_their_goals(run: Run, line: str) -> None:
    assert line in render(run).splitlines()


def test_findings_are_named(run: Run) -> None:
    assert "## Findings" not in render(run)
    run.findings.append(Finding(Verdict.LOST, 1.0, "stress/board@1.0.0 is lost"))
    assert "- lost: stress/board@1.0.0 is lost" in render(run).splitlines()


def test_nothing_is_replaced_on_sqlite(run: Run) -> None:
    run.replacement = None
    assert "promot" not in render(run)
