"""docs/performance.md describes the contenders of the race, and shows its results."""

from benchmarks.race import contenders, report
from benchmarks.race.results import RATIOS
from tests.docs import markdown

NAME = "docs/performance.md"


def test_every_ratio_of_the_race_has_a_result() -> None:
    names = [row[0] for row in markdown.section(NAME, "Results").rows]
    assert names[: len(RATIOS)] == [f"{name} : {other}" for name, other, _ in RATIOS]


def test_every_contender_with_a_result_is_described() -> None:
    described = {
        name.strip()
        for names, _ in markdown.section(NAME, "What is compared").rows
        for name in names.split(";")
    }
    rows = markdown.section(NAME, "Results").rows[len(RATIOS) :]
    results = {name.removesuffix(", SQLite").removesuffix(", PostgreSQL") for name, *_ in rows}
    assert results - {contenders.TVM} == described - {"TVM in process"}


def test_the_plot_exists() -> None:
    assert report.PLOT.read_text(encoding="utf-8").startswith("<svg")
