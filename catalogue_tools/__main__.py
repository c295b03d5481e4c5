"""Write, refresh and release the catalogue: `python -m catalogue_tools COMMAND`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from catalogue_tools import refresh_report
from catalogue_tools.compatibility.driver import driver_texts
from catalogue_tools.compatibility.family_baselines import family_lines
from catalogue_tools.compatibility.front_end import ToolMissing
from catalogue_tools.compatibility.instruction_sets import generated_texts
from catalogue_tools.compatibility.matrix import matrix_texts
from catalogue_tools.compatibility.verdict_counts import table_lines
from catalogue_tools.equal_targets import equal_builds
from catalogue_tools.fact_counts import fact_counts
from catalogue_tools.facts import Table, read_table, write_table
from catalogue_tools.files import differences, line_differences, write_files
from catalogue_tools.generate import GenerationError, generate_shipped
from catalogue_tools.in_memory import publish_in_memory
from catalogue_tools.machine_names import MACHINE_NAMES, names_text
from catalogue_tools.releases import (
    extend_lock,
    locked_versions,
    shipped_migrations,
    tags_of_release,
)
from catalogue_tools.sources.clone import Clone, SourceError, open_clone
from catalogue_tools.sources.reader import Reader
from catalogue_tools.sources.readers import hand_kept_tables, readers_for, readers_of
from catalogue_tools.table_changes import TableChanges, compare_rows, refresh
from catalogue_tools.table_impact import table_impact
from registry.domain.errors import Refused
from registry.domain.kinds.expected_facts import EXPECTED_FACTS
from registry.services.catalogue.lock import LOCK, LockError, lock_text, read_lock
from registry.services.core import shipped_facts


class CheckError(ValueError):
    """The generated files are not what the facts give. Its text has a line per file."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and print its lines. Exits with a message if something is wrong."""
    options = _parser().parse_args(arguments)
    try:
        for line in options.run(options):
            sys.stdout.write(f"{line}\n")
    except (CheckError, GenerationError, LockError, Refused, SourceError, ToolMissing) as error:
        sys.exit(str(error))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m catalogue_tools", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[Namespace], Iterator[str]], check: str = ""
    ) -> ArgumentParser:
        added = commands.add_parser(name, help=run.__doc__)
        added.set_defaults(run=run)
        if check:
            text = f"change nothing; fail if {check}"
            added.add_argument("--check", action="store_true", help=text)
        return added

    command("generate", _generate, check="the files are not what the facts give")
    refreshing = command("refresh", _refresh)
    refreshing.add_argument("source", help="folder of the tables below registry/catalogue/facts")
    refreshing.add_argument("clone", type=Path, help="folder with a clone of its repository")
    refreshing.add_argument("--repo", default="", help="owner/name that the folder is a copy of")
    refreshing.add_argument("--commit", default="", help="commit of a folder that is no git clone")
    refreshing.add_argument("--date", default="", help="its date, such as 2026-08-21")
    refreshing.add_argument("--write", action="store_true", help="write the tables")
    locking = command("lock", _lock)
    locking.add_argument("release", help="the release, as in CHANGELOG.md: 0.1")
    command("compatibility", _compatibility, check="LLVM says something else")
    command("driver-defaults", _driver_defaults, check="clang says something else")
    command("verdicts", _verdicts)
    command("family-baselines", _family_baselines)
    command("matrix", _matrix, check="the verdicts are others")
    counts = command("counts", _counts)
    counts.add_argument("--release", default="", help="one in the lock file, such as 0.1")
    command("same-builds", _same_builds)
    return parser


def _generate(options: Namespace) -> Iterator[str]:
    """Write the generated files of the catalogue from the recorded facts."""
    generated = generate_shipped().files
    files = {**generated, MACHINE_NAMES: names_text(generated)}
    if not options.check:
        yield from write_files(files, shipped_facts.CATALOGUE)
    elif changes := list(differences(files, shipped_facts.CATALOGUE)):
        raise CheckError("\n".join((*changes, "Run python -m catalogue_tools generate.")))
    yield f"{len(files)} files are as the facts give them."


def _refresh(options: Namespace) -> Iterator[str]:
    """Refresh tables of facts from a clone of their source, and show what that would change.

    Without --write it changes nothing.
    """
    readers_of(options.source)  # before the clone: a source without a reader needs none
    clone = open_clone(options.clone, options.commit, options.date)
    readers = readers_for(clone, options.source, options.repo)
    tables, changes = zip(*(_refreshed(reader, clone) for reader in readers), strict=True)
    impact = table_impact(tables)
    for table, reason in hand_kept_tables(options.source).items():
        yield f"{table} is kept by hand: {reason}."
    yield from map(refresh_report.table_summary, changes)
    yield refresh_report.impact_summary(impact)
    yield from chain.from_iterable(map(refresh_report.table_lines, changes))
    yield from refresh_report.impact_lines(impact)
    if options.write:
        yield _written(tables)


def _refreshed(reader: Reader, clone: Clone) -> tuple[Table, TableChanges]:
    """Return the table that a clone gives, and how it differs from the present one."""
    table = read_table(reader.table)
    refreshed, reading = refresh(table, reader, clone, datetime.now(UTC).date())
    return refreshed, compare_rows(table.rows, reading, reader)


def _written(tables: Iterable[Table]) -> str:
    names = []
    for table in tables:
        write_table(table)
        names.append(table.name)
    return f"Wrote {', '.join(names)}. Now run python -m catalogue_tools generate."


def _compatibility(options: Namespace) -> Iterator[str]:
    """Write what LLVM's processors have and its features imply; needs TVM and clang 22."""
    yield from _write_or_compare(generated_texts(), "compatibility", options)


def _driver_defaults(options: Namespace) -> Iterator[str]:
    """Write what clang 22 uses for triples without a processor, after `compatibility`."""
    yield from _write_or_compare(driver_texts(), "driver-defaults", options)


def _write_or_compare(texts: Mapping[Path, str], command: str, options: Namespace) -> Iterator[str]:
    if not options.check:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
            yield f"{path.name} is written"
    elif changes := [*line_differences(texts)]:
        raise CheckError("\n".join((*changes, f"Run python -m catalogue_tools {command}.")))


def _verdicts(_options: Namespace) -> Iterator[str]:
    """Count the verdicts about all pairs of the catalogue's processors, by architecture."""
    newest = (versions[-1] for versions in publish_in_memory().versions.values())
    yield from table_lines(version.resolution.target for version in newest)


def _family_baselines(_options: Namespace) -> Iterator[str]:
    """Build for all types of each of the ten largest families of clouds, as a table."""
    newest = (versions[-1] for versions in publish_in_memory().versions.values())
    yield from family_lines(version.resolution.target for version in newest)


def _matrix(options: Namespace) -> Iterator[str]:
    """Write the verdicts about all pairs of processors, as a page and as a file."""
    yield from _write_or_compare(matrix_texts(), "matrix", options)


def _lock(options: Namespace) -> Iterator[str]:
    """Release the catalogue: record the number and digest of every version, and the migrations."""
    lock, shipped = read_lock(), locked_versions(publish_in_memory())
    longer = extend_lock(lock, shipped, shipped_migrations(), options.release)
    (shipped_facts.CATALOGUE / LOCK).write_text(lock_text(longer), encoding="utf-8")
    yield f"{options.release} has {len(longer.releases[-1].versions)} new versions."


def _counts(options: Namespace) -> Iterator[str]:
    """Count the facts that names of each category state."""
    tags = [*shipped_facts.every_tag()]
    if options.release:
        tags = tags_of_release(read_lock(), options.release, tags)
    names, stated = fact_counts(publish_in_memory(tags), iter(tags))
    for category, facts in EXPECTED_FACTS.items():
        texts = [f"{fact} {stated[category, fact]}" for fact in facts]
        yield f"{category}: {names[category]} names, {', '.join(texts)}"


def _same_builds(_options: Namespace) -> Iterator[str]:
    """List tags that are the same machine for a compiler, with the build key that they share."""
    groups = equal_builds(publish_in_memory())
    for key, tags in sorted(groups.items(), key=lambda group: group[1]):
        yield " ".join((key, *tags))


if __name__ == "__main__":
    main()
