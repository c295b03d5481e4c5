"""A table and what a newer commit gives differ by rows and fields."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import Reading
from catalogue_tools.table_changes import ChangedRow, TableChanges, compare_rows, refresh
from tests.catalogue_tools.small_catalogue import HEADER, NEW_COMMIT, OLD_COMMIT, READER, table

ONE: Row = {"name": "one", "cpu": "znver3", "cores": 4}
TWO: Row = {"name": "two", "cpu": "znver3", "cores": 8}
TODAY = date(2026, 11, 23)


def clone(folder: Path, rows: Any, commit: str = NEW_COMMIT, day: str = "2026-11-20") -> Clone:
    (folder / "machines.json").write_text(json.dumps(rows))
    return Clone(folder, commit, day)


def test_rows_are_compared_by_their_key_whatever_their_order() -> None:
    older = [ONE, TWO, {**ONE, "name": "four"}]
    newer = (TWO | {"cores": 6}, {**ONE, "model": "One"}, {**ONE, "name": "three"})
    assert compare_rows(older, Reading(newer, ("odd",)), READER) == TableChanges(
        table="acme/machines",
        added=("three",),
        removed=("four",),
        changed=(
            ChangedRow("two", (("cores", 8, 6),)),
            ChangedRow("one", (("model", None, "One"),)),
        ),
        same=0,
        not_taken=("odd",),
    )


def test_recorded_commit_changes_nothing(tmp_path: Path) -> None:
    old = table(ONE, TWO)
    new, _ = refresh(old, READER, clone(tmp_path, [ONE, TWO], OLD_COMMIT, "2026-08-01"), TODAY)
    assert new == old


def test_newer_commit_is_recorded_with_the_day_of_reading(tmp_path: Path) -> None:
    header = HEADER | {"count": 1, "notes": ["kept"]}
    others = [
        {"repo": "acme/other", "path": "machines.json", "commit": "d" * 40},
        {"repo": "acme/lists", "path": "boards.json", "commit": "d" * 40},
    ]
    header["sources"] = [*HEADER["sources"], *others]
    old = Table("acme/machines", header, (ONE,))
    new, reading = refresh(old, READER, clone(tmp_path, [ONE, TWO, {"name": "odd"}]), TODAY)
    assert new.rows == (ONE, TWO)
    assert reading.not_taken == ("odd: no processor",)
    first = {**HEADER["sources"][0], "commit": NEW_COMMIT, "commit_date": "2026-11-20"}
    assert new.header == {
        "sources": [first, *others],
        "retrieved": "2026-11-23",
        "count": 2,
        "notes": ["kept"],
    }


def test_older_clone_is_refused(tmp_path: Path) -> None:
    older = clone(tmp_path, [ONE], day="2026-07-31")
    with pytest.raises(SourceError, match=r"of 2026-07-31, but acme/machines has facts of 2026-08"):
        refresh(table(ONE), READER, older, TODAY)


def test_two_rows_of_one_key_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="acme/machines would have two rows one"):
        refresh(table(ONE), READER, clone(tmp_path, [ONE, ONE]), TODAY)


ROWS = st.dictionaries(st.text("abc", max_size=2), st.integers(0, 2)).map(
    lambda cores: tuple({"name": name, "cores": count} for name, count in cores.items())
)


@given(ROWS, ROWS)
def test_every_row_is_added_changed_or_the_same(old: tuple[Row, ...], new: tuple[Row, ...]) -> None:
    changes = compare_rows(old, Reading(new), READER)
    back = compare_rows(new, Reading(old), READER)
    assert len(changes.added) + len(changes.changed) + changes.same == len(new)
    assert sorted(changes.added) == sorted(back.removed)
    assert {row.key for row in changes.changed} == {row.key for row in back.changed}


@given(ROWS)
def test_same_rows_have_no_changes(rows: tuple[Row, ...]) -> None:
    changes = compare_rows(rows, Reading(rows[::-1]), READER)
    assert changes == TableChanges("acme/machines", (), (), (), len(rows))
