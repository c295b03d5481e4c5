"""The command `refresh`."""

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from catalogue_tools import facts
from catalogue_tools.__main__ import main
from catalogue_tools.facts import Row
from tests.catalogue_tools.small_catalogue import NEW_COMMIT, small_catalogue

ONE: Row = {"name": "one", "cpu": "znver3", "cores": 4, "model": "One"}
TWO: Row = {"name": "two", "cpu": "znver3", "cores": 8, "model": "Two"}
NEWER = [{**ONE, "cores": 6}, {**ONE, "name": "three", "model": "Three"}, {"name": "odd"}]

REPORT = """\
acme/machines: 1 added, 1 removed, 1 changed, 0 as before, 1 not taken
catalogue: new tags 1, new versions 1, renewed by a rebase 0, no longer given 1, problems 0
acme/machines:
  + three
  - two
  ~ one: cores 4 -> 6
  not taken: odd: no processor
acme:
  acme/one 1.0.0 -> 2.0.0: tuning records are lost
  acme/three 1.0.0: new
  acme/two is no longer given; if released, it stays
"""


@pytest.fixture(autouse=True)
def _catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with small_catalogue(tmp_path, monkeypatch, [ONE, TWO]):
        yield


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with a newer list of machines."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "machines.json").write_text(json.dumps(NEWER))
    return folder


def refresh(clone: Path, *arguments: str, source: str = "acme") -> str:
    state = ("--commit", NEW_COMMIT, "--date", "2026-11-20")
    with redirect_stdout(StringIO()) as output:
        main(["refresh", source, str(clone), *state, *arguments])
    return output.getvalue()


def table() -> Any:
    return json.loads((facts.FACTS / "acme" / "machines.json").read_text())


def test_changes_and_impact_are_printed_and_nothing_is_written(clone: Path) -> None:
    before = table()
    assert refresh(clone) == REPORT
    assert table() == before


def test_table_is_written_on_request_and_the_generator_takes_it(clone: Path) -> None:
    text = refresh(clone, "--write")
    assert text == f"{REPORT}Wrote acme/machines. Now run python -m catalogue_tools generate.\n"
    assert table()["rows"] == NEWER[:2]
    assert table()["header"]["sources"][0]["commit"] == NEW_COMMIT
    with facts.replaced_tables({}):
        main(["generate"])
        assert "0 added, 0 removed, 0 changed, 2 as before" in refresh(clone)


def test_problems_and_disagreements_are_printed(clone: Path) -> None:
    rows = [ONE, {**TWO, "cpu": "znver9", "doubt": 6}]
    (clone / "machines.json").write_text(json.dumps(rows))
    text = refresh(clone)
    assert "\nproblem: acme/two would have a lint, MCPU_UNKNOWN: " in text
    assert "\nnew disagreement: acme/two: cores is 6" in text


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("acmee", "[]", r"There is no source acmee\. Did you mean acme"),
        ("acme", "{}", r"machines\.json is no list"),
    ],
)
def test_error_is_one_line(clone: Path, source: str, text: str, expected: str) -> None:
    (clone / "machines.json").write_text(text)
    with pytest.raises(SystemExit, match=expected) as error:
        refresh(clone, source=source)
    assert "\n" not in str(error.value)


def test_unknown_source_is_reported_before_the_clone(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There is no source acmee"):
        refresh(tmp_path / "nowhere", source="acmee")


def test_missing_file_is_named(clone: Path) -> None:
    (clone / "machines.json").unlink()
    with pytest.raises(SystemExit, match=r"has no file machines\.json"):
        refresh(clone)
