"""Rows of an archive with other members or types than their models have."""

from typing import Any

import pytest

from registry.services.operations import archived_rows
from registry.services.operations.archive import Row

pytestmark = pytest.mark.any_database

MOMENT = "2026-11-20T12:00:00.123456+00:00"
WATCH = {"user": 1, "name": "acme", "is_on": True, "created": MOMENT}
GROUP = {"name": "reviewers", "permissions": [["view_event", "registry", "event"]]}
MODELS: dict[str, dict[str, Any]] = {"registry.watch": WATCH, "auth.group": GROUP}


def row(model: str = "registry.watch", pk: object = 1, **changed: Any) -> Row:
    return {"model": model, "pk": pk, "fields": {**MODELS[model], **changed}}


@pytest.mark.parametrize(
    "right", [row(), row("auth.group"), row(name="größe Ⅳ"), row(pk=2**63 - 1), row(user=-(2**63))]
)
def test_row_of_its_model_has_no_problem(right: Row) -> None:
    assert archived_rows.problem(right, is_complete=True) == ""


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (row(nope=1), "registry.watch 1 has the member nope, which is unknown"),
        (row(pk=None), "registry.watch null has null as id; expected a whole number"),
        (row(pk="1"), "registry.watch 1 has 1 as id; expected a whole number"),
        (row(pk=2**63), "has 9223372036854775808 as id; expected a whole number of 64 bits"),
        (row(user=True), "has true as user; expected a whole number"),
        (row(user=1.5), "has 1.5 as user; expected a whole number"),
        (row(user=float("nan")), "has NaN as user; expected a whole number"),
        (row(user=None), "has null as user; expected a whole number"),
        (row(is_on=0), "has 0 as is_on; expected true or false"),
        (row(name=[]), "has [] as name; expected a text"),
        (row(name="\ud800"), r"has \ud800 as name; expected a text of Unicode"),
        (row(created=0), "has 0 as created; expected a text"),
        (row("auth.group", permissions="x"), "has x as permissions; expected a list"),
    ],
)
def test_row_that_differs_from_its_model_is_named(wrong: Row, sentence: str) -> None:
    assert archived_rows.problem(wrong, is_complete=True).endswith(sentence)


@pytest.mark.parametrize("name", WATCH)
def test_only_older_releases_may_lack_a_member(name: str) -> None:
    lacking = row()
    del lacking["fields"][name]
    assert archived_rows.problem(lacking, is_complete=False) == ""
    expected = f"registry.watch 1 lacks the member {name}"
    assert archived_rows.problem(lacking, is_complete=True) == expected


def test_problem_of_a_long_value_is_short() -> None:
    assert len(archived_rows.problem(row(user="x" * 100_000), is_complete=True)) < 250
