"""A small catalogue that one table of facts and one generator yield."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from catalogue_tools import corrections, facts, generate
from catalogue_tools.facts import Row, Table, read_table, replaced_tables, write_table
from catalogue_tools.files import write_files
from catalogue_tools.sources import readers
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import Reader, Reading
from catalogue_tools.tags import Disagreement, GeneratedTag
from registry.domain.document import Json
from registry.services.core import shipped_facts

SHIPPED = shipped_facts.CATALOGUE
TABLES = ("kinds", "tvm_names.json", "llvm_cpus.json", "llvm_features.json", "proofs.json")
NAMES = "machine_names.json"
NAME = "acme/machines"
OLD_COMMIT, NEW_COMMIT = "a" * 40, "b" * 40
SOURCE = {"repo": "acme/lists", "path": "machines.json", "commit": OLD_COMMIT}
HEADER: Row = {"sources": [{**SOURCE, "commit_date": "2026-08-01"}], "retrieved": "2026-08-02"}


def link_tables(folder: Path) -> None:
    """Put there what the server reads once, for all catalogues of a process.

    The table of names is a copy, because it is generated too: a link would be written through.
    """
    for name in TABLES:
        (folder / name).symlink_to(SHIPPED / name)
    shutil.copy(SHIPPED / NAMES, folder)


def table(*rows: Row) -> Table:
    """Return the table of machines."""
    return Table(NAME, HEADER, rows)


@contextmanager
def small_catalogue(
    folder: Path, monkeypatch: pytest.MonkeyPatch, rows: Sequence[Row]
) -> Iterator[None]:
    """Ship a catalogue of these machines, generated from a table in `folder`."""
    link_tables(folder)
    (folder / "tags").mkdir()
    for source in ("acme", "corrections"):
        (folder / "facts" / source).mkdir(parents=True)
    namespace = {"name": "acme", "title": "Acme", "description": "For tests."}
    (folder / "namespaces.json").write_text(json.dumps({"namespaces": [namespace]}))
    monkeypatch.setattr(shipped_facts, "CATALOGUE", folder)
    monkeypatch.setattr(facts, "FACTS", folder / "facts")
    monkeypatch.setattr(generate, "GENERATORS", (machines,))
    monkeypatch.setattr(readers, "READERS", (READER,))
    monkeypatch.setattr("catalogue_tools.__main__.names_text", lambda _: "")  # nobody names them
    write_table(Table(corrections.TABLE, {}, ()))
    write_table(table(*rows))
    with replaced_tables({}):  # forgets the tables that were read before, and later this one
        write_files(generate.generate_shipped().files, folder)
        yield


def machines() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each processor, and its machines."""
    url = read_table(NAME).url()
    rows = read_table(NAME).rows
    for family, cpu in sorted({(_family(row), row["cpu"]) for row in rows}):
        body: dict[str, Json] = {
            "kind": "llvm",
            "mtriple": "x86_64-unknown-linux-gnu",
            "mcpu": cpu,
            "keys": ["cpu"],
        }
        lineups = {row["lineup"] for row in rows if _family(row) == family and "lineup" in row}
        for lineup in lineups:
            body["hardware"] = {"family": lineup, "sources": {"identity": [url]}}
        yield GeneratedTag(family, "acme/machines", body, "CPU", (url,), is_family=True)
    for row in rows:
        yield _machine(row, url)
        if "doubt" in row:
            yield Disagreement(f"acme/{row['name']}", "cores", {url: row["doubt"]})


def _machine(row: Row, url: str) -> GeneratedTag:
    hardware: dict[str, Any] = {
        "model": row.get("model", row["name"]),
        "sources": {"identity": [url]},
    }
    body = {"tag": f"{_family(row)}@1", "num-cores": row["cores"], "hardware": hardware}
    return GeneratedTag(f"acme/{row['name']}", "acme/machines", body, "Machine", (url,))


def _family(row: Row) -> str:
    return f"acme/{row.get('family', row['cpu'])}"


def _read(clone: Clone, _table: Table) -> Reading:
    rows = json.loads(clone.text("machines.json"))
    if not isinstance(rows, list):
        raise SourceError("machines.json is no list.")
    return Reading(
        tuple(row for row in rows if "cpu" in row),
        tuple(f"{row['name']}: no processor" for row in rows if "cpu" not in row),
    )


READER = Reader(NAME, "acme/lists", ("machines.json",), ("name",), _read)
