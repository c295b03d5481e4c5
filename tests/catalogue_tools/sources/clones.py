"""Folders with the files of upstream projects, as tests write them."""

from collections.abc import Mapping
from pathlib import Path

from catalogue_tools.facts import Row, read_table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reading
from catalogue_tools.sources.readers import READERS


def clone_of(folder: Path, files: Mapping[str, str]) -> Clone:
    """Write files, by path, and return them as a clone of some commit."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Clone(folder, "c" * 40, "2026-11-20")


def read(table: str, clone: Clone, repo: str = "") -> Reading:
    """Return what the reader of a shipped table reads in a clone of a repository."""
    (reader,) = [
        reader for reader in READERS if reader.table == table and repo in ("", reader.repo)
    ]
    return reader.read(clone, read_table(table))


def shipped_rows(table: str, *keys: str) -> list[Row]:
    """Return the shipped rows whose first field has one of these values."""
    return [row for row in read_table(table).rows if next(iter(row.values())) in keys]
