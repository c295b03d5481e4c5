"""docs/reliability.md lists the faults that `make stress` injects, and results of runs."""

from tests.docs import markdown
from tests.stress.faults import FAULTS

NAME = "docs/reliability.md"


def test_every_fault_is_described() -> None:
    rows = markdown.section(NAME, "Faults").rows
    assert [next(markdown.code_spans(name)) for name, _ in rows] == list(FAULTS)


def test_results_are_of_faults_that_exist() -> None:
    rows = markdown.section(NAME, "Results").rows
    assert {name for name, *_ in rows} - {"**all**"} <= FAULTS.keys()
    assert all(len(row) == 6 for row in rows)
