import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from registry.services.core import shipped_facts
from tests import databases
from tests.databases import FILE, new_registry

COUNT = "SELECT count(*) FROM registry_version"


def query(environment: Mapping[str, str], statement: str) -> int:
    """Return the number that a query returns."""
    if url := environment.get("DATABASE_URL"):
        with psycopg.connect(url) as server:
            row = server.execute(statement).fetchone()
    else:
        with closing(sqlite3.connect(Path(environment["REGISTRY_VAR"]) / FILE)) as file:
            row = file.execute(statement).fetchone()
    assert row is not None
    return int(row[0])


def test_new_registry_has_tables_and_no_rows(tmp_path: Path) -> None:
    with new_registry(tmp_path) as environment:
        assert query(environment, COUNT) == 0


def test_small_registry_has_few_tags(tmp_path: Path) -> None:
    with new_registry(tmp_path, loaded="few") as environment:
        assert query(environment, COUNT) == len(databases.FEW)


def test_loaded_registry_has_the_catalogue(tmp_path: Path) -> None:
    with new_registry(tmp_path, loaded=True) as environment:
        assert query(environment, COUNT) == sum(len(tag.versions) for tag in shipped_facts.tags())


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite only")
def test_template_is_created_once_until_its_key_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def make(step: str, environment: Mapping[str, str]) -> None:
        (Path(environment["REGISTRY_VAR"]) / FILE).write_text(step)
        steps.append(step)

    monkeypatch.setattr(databases, "fill", make)
    monkeypatch.setenv("REGISTRY_VAR", str(tmp_path))
    for key in ("first", "first", "second"):
        monkeypatch.setattr(databases, "key", lambda key=key: key)
        databases.copy_sqlite(tmp_path / "copy", loaded=True)
        assert (tmp_path / "copy").read_text() == "loaded"
    assert steps == ["migrated", "few", "loaded"] * 2
