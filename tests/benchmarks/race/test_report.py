"""The tables and the plot of the race."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.race import report
from benchmarks.race.plot import draw
from benchmarks.race.results import RATIOS

pytestmark = pytest.mark.any_database

NAMES = list(dict.fromkeys(name for first, second, _ in RATIOS for name in (first, second)))
ROUNDS = [
    {name: 100.0 * (number + place) for place, name in enumerate(NAMES, 1)} for number in (0, 1)
]


def test_every_contender_and_every_ratio_has_a_row() -> None:
    lines = report.tables(ROUNDS).splitlines()
    for name in NAMES:
        assert any(line.startswith(f"| {name} | ") for line in lines)
    for name, other, goal in RATIOS:
        (row,) = [line for line in lines if line.startswith(f"| {name} : {other} |")]
        assert row.endswith(f"| {goal} |")


def test_results_replace_those_of_the_last_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tmp_path / "performance.md"
    document.write_text(f"before\n{report.START}old\n{report.END}after\n")
    monkeypatch.setattr(report, "DOCUMENT", document)
    monkeypatch.setattr(report, "PLOT", tmp_path / "performance.svg")
    for text in ("first", "second"):
        report.write(text, ROUNDS)
    assert document.read_text() == f"before\n{report.START}\nsecond\n{report.END}after\n"
    assert (tmp_path / "performance.svg").read_text() == draw(ROUNDS)


def test_the_plot_names_all_contenders_and_has_colours_for_dark_pages() -> None:
    svg = ElementTree.fromstring(draw(ROUNDS))  # noqa: S314 - drawn here
    texts = {element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert {name.replace("`", "") for name in NAMES} <= texts
    assert "prefers-color-scheme: dark" in draw(ROUNDS)
    bars = [e for e in svg.iter("{http://www.w3.org/2000/svg}rect") if e.get("class") != "page"]
    assert len(bars) == len(NAMES)
    assert {bar.get("class") for bar in bars} == {"ours", "peer"}
