"""Refresh tables of facts from a clone of their source, and show what that would change."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from registry.generator.facts import Table, read_table, write_table
from registry.generator.lock import LockError
from registry.generator.sources.clone import Clone, SourceError, open_clone
from registry.generator.sources.hand_kept import hand_kept_tables
from registry.generator.sources.reader import Reader
from registry.generator.sources.readers import readers_for, readers_of
from registry.generator.table_changes import TableChanges, compare_rows, refresh
from registry.management.base import RegistryCommand
from registry.management.refresh_report import (
    impact_lines,
    impact_summary,
    table_lines,
    table_summary,
)
from registry.services.catalogue.table_impact import table_impact


class Command(RegistryCommand):
    """`manage.py refresh_facts karpenter ../karpenter-provider-aws`, for who keeps the facts."""

    help = f"{__doc__} Without --write it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the source, the folder and the commit of a folder without git."""
        parser.add_argument("source", help="folder of the tables below registry/catalogue/facts")
        parser.add_argument("clone", type=Path, help="folder with a clone of its repository")
        parser.add_argument("--repo", default="", help="owner/name that the folder is a copy of")
        parser.add_argument("--commit", default="", help="commit of a folder that is no git clone")
        parser.add_argument("--date", default="", help="its date, such as 2026-08-21")
        parser.add_argument("--write", action="store_true", help="write the tables")

    def handle(self, *_args: Any, source: str, write: bool, **options: Any) -> None:
        """Print counts, then the changed rows and the impact; write the tables if asked to."""
        try:
            readers_of(source)  # before the clone: a source without a reader needs none
            clone = open_clone(options["clone"], options["commit"], options["date"])
            readers = readers_for(clone, source, options["repo"])
            tables, changes = zip(*(_refresh(reader, clone) for reader in readers), strict=True)
            impact = table_impact(tables)
        except (SourceError, LockError) as error:
            raise CommandError(str(error)) from error
        for table, reason in hand_kept_tables(source).items():
            self.stdout.write(f"{table} is kept by hand: {reason}.")
        details = (*map(table_lines, changes), impact_lines(impact))
        for line in (*map(table_summary, changes), impact_summary(impact), *chain(*details)):
            self.stdout.write(line)
        if write:
            for table in tables:
                write_table(table)
            names = ", ".join(table.name for table in tables)
            self.stdout.write(f"Wrote {names}. Now run manage.py generate_catalogue.")


def _refresh(reader: Reader, clone: Clone) -> tuple[Table, TableChanges]:
    """Return the table that a clone gives, and how it differs from the present one."""
    table = read_table(reader.table)
    refreshed, reading = refresh(table, reader, clone, timezone.localdate())
    return refreshed, compare_rows(table.rows, reading, reader)
