"""Other tables of facts: which tags would get which version."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from catalogue_tools.__main__ import main
from catalogue_tools.facts import Row, Table, replaced_tables, write_table
from catalogue_tools.files import write_files
from catalogue_tools.generate import generate_shipped
from catalogue_tools.table_impact import TableImpact, table_impact
from registry.domain.reference import Tag
from registry.models import Version
from registry.services.catalogue import loading
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.versions import rebasing
from tests.catalogue_tools.small_catalogue import (
    HEADER,
    NAME,
    NEW_COMMIT,
    SOURCE,
    small_catalogue,
    table,
)
from ttag_rules.version_number import VersionNumber

ONE: Row = {"name": "one", "cpu": "znver3", "cores": 4, "model": "One"}
TWO: Row = {"name": "two", "cpu": "znver3", "cores": 8, "model": "Two"}


@pytest.fixture(autouse=True)
def _catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with small_catalogue(tmp_path, monkeypatch, [ONE, TWO]):
        yield


def impact(*rows: Row) -> TableImpact:
    return table_impact([table(*rows)])


def published(result: TableImpact) -> list[str]:
    return [f"{item.tag} {item.old} {item.number}" for item in result.versions.published]


def test_same_rows_change_nothing() -> None:
    assert impact(ONE, TWO) == TableImpact()


def test_newer_commit_alone_gives_no_version() -> None:
    header = {**HEADER, "sources": [{**SOURCE, "commit": NEW_COMMIT}]}
    assert table_impact([Table(NAME, header, (ONE, TWO))]) == TableImpact()


def test_nothing_is_written() -> None:
    files = generate_shipped().files
    impact({**ONE, "cores": 6})
    assert generate_shipped().files == files


@pytest.mark.parametrize(
    ("row", "version"),
    [
        ({**ONE, "cores": 6}, "acme/one 1.0.0 2.0.0"),
        ({**ONE, "model": "One (2026)"}, "acme/one 1.0.0 1.0.1"),
    ],
)
def test_changed_fact_gives_the_version_that_the_registry_would_give(
    row: Row, version: str
) -> None:
    result = impact(row, TWO)
    assert published(result) == [version]
    assert result.problems == ()


def test_new_row_is_a_new_tag_and_a_missing_one_is_gone() -> None:
    result = impact(ONE, {"name": "three", "cpu": "znver3", "cores": 16})
    assert published(result) == ["acme/three None 1.0.0"]
    assert result.gone == ("acme/two",)


def test_released_tag_is_gone_though_the_catalogue_keeps_it() -> None:
    main(["lock", "0.1"])
    result = impact(ONE)
    assert result.gone == ("acme/two",)
    assert published(result) == []


def test_heirs_follow_a_family_when_it_is_rebased() -> None:
    result = impact({**ONE, "family": "fast"}, {**TWO, "family": "fast"})
    assert published(result) == [
        "acme/fast None 1.0.0",
        "acme/one 1.0.0 1.0.1",
        "acme/two 1.0.0 1.0.1",
    ]


def test_catalogue_that_cannot_be_generated_has_problems_only() -> None:
    (problem,) = impact(ONE, TWO, {"name": "Three!", "cpu": "znver3", "cores": 2}).problems
    assert "Three!" in problem


def test_value_that_a_subject_does_not_know_is_a_problem() -> None:
    (problem,) = impact(ONE, {"name": "two", "cpu": "znver3"}).problems
    assert problem.startswith("small_catalogue._machine knows nothing of 'cores'")


def test_new_lint_is_a_problem() -> None:
    problems = impact(ONE, {**TWO, "cpu": "znver9"}).problems
    assert [problem.partition(":")[0] for problem in problems] == [
        "acme/two would have a lint, MCPU_UNKNOWN",
        "acme/znver9 would have a lint, MCPU_UNKNOWN",
    ]


def test_targets_that_become_equal_are_a_problem() -> None:
    problems = impact(ONE, {**ONE, "name": "two", "family": "other"}).problems
    assert set(problems) == {
        "acme/other and acme/znver3 would have equal targets.",
        "acme/one and acme/two would have equal targets.",
    }


def test_disagreements_come_and_go(tmp_path: Path) -> None:
    doubtful = {**ONE, "doubt": 6}
    assert impact(doubtful, TWO).new_disagreements == ("acme/one: cores is 6",)
    with replaced_tables({NAME: table(doubtful, TWO)}):
        write_files(generate_shipped().files, tmp_path)
    assert impact(ONE, TWO).settled_disagreements == ("acme/one: cores is 6",)


@pytest.mark.django_db
def test_loading_and_a_rebase_publish_what_the_impact_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "CATALOGUE", "all")
    main(["lock", "0.1"])
    loading.load_catalogue()
    rows = [{**ONE, "cores": 6, "lineup": "Milan"}, TWO, {**ONE, "name": "three", "model": "3"}]
    expected = impact(*rows).versions
    write_table(table(*rows))
    with replaced_tables({}):
        write_files(generate_shipped().files, shipped_facts.CATALOGUE)
    loading.load_catalogue()
    owner = Actor(loading.catalogue_account())
    rebasing.rebase(rebasing.plan_rebase([Tag.parse("acme/znver3")]), actor=owner)
    newest = {tag: max(numbers) for tag, numbers in _published_numbers().items()}
    assert newest == {"acme/two": VersionNumber(1, 0, 0)} | {
        item.tag: item.number for item in (*expected.published, *expected.followed)
    }
    assert [item.tag for item in expected.followed] == ["acme/two"]


def _published_numbers() -> dict[str, list[VersionNumber]]:
    numbers: dict[str, list[VersionNumber]] = {}
    for version in Version.objects.filter(tag__text__startswith="acme/").select_related("tag"):
        numbers.setdefault(version.tag.text, []).append(version.number)
    return numbers
