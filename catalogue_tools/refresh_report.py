"""Lines of text about changed tables of facts, and what they would change in the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

from catalogue_tools.table_changes import TableChanges
from catalogue_tools.table_impact import TableImpact
from catalogue_tools.version_impact import NextVersion
from registry.domain.document import Json
from registry.domain.version_number import Bump
from ttag_rules.pointer import natural_key

MEANINGS = {
    Bump.FIRST: "new",
    Bump.MAJOR: "tuning records are lost",
    Bump.MINOR: "needs a rebuild",
    Bump.PATCH: "facts for people only",
}


def table_summary(changes: TableChanges) -> str:
    """Return a line that counts the rows of a table by what happens to them."""
    return (
        f"{changes.table}: {len(changes.added)} added, {len(changes.removed)} removed, "
        f"{len(changes.changed)} changed, {changes.same} as before, "
        f"{len(changes.not_taken)} not taken"
    )


def table_lines(changes: TableChanges) -> Iterator[str]:
    """Yield a line for each changed row and each product that was not taken."""
    if changes.added or changes.removed or changes.changed or changes.not_taken:
        yield f"{changes.table}:"
    yield from (f"  + {key}" for key in changes.added)
    yield from (f"  - {key}" for key in changes.removed)
    for row in changes.changed:
        for name, old, new in row.fields:
            yield f"  ~ {row.key}: {name} {_value(old)} -> {_value(new)}"
    yield from (f"  not taken: {product}" for product in changes.not_taken)


def impact_summary(impact: TableImpact) -> str:
    """Return a line that counts what would change in the catalogue."""
    versions = impact.versions
    new = sum(item.bump is Bump.FIRST for item in versions.published)
    return (
        f"catalogue: new tags {new}, new versions {len(versions.published) - new}, "
        f"renewed by a rebase {len(versions.followed)}, no longer given {len(impact.gone)}, "
        f"problems {len(impact.problems)}"
    )


def impact_lines(impact: TableImpact) -> Iterator[str]:
    """Yield a line for each problem, disagreement and tag, the tags by namespace."""
    yield from (f"problem: {problem}" for problem in impact.problems)
    yield from (f"new disagreement: {item}" for item in impact.new_disagreements)
    yield from (f"settled disagreement: {item}" for item in impact.settled_disagreements)
    yield from _by_namespace(impact)


def _by_namespace(impact: TableImpact) -> Iterator[str]:
    versions = impact.versions
    lines = [
        *((item.tag, _version(item)) for item in versions.published),
        *((item.tag, f"{_version(item)}, by a rebase") for item in versions.followed),
        *((tag, f"{tag} is no longer given; if released, it stays") for tag in impact.gone),
        *((tag, f"{tag} refers to an older major version") for tag in versions.staying),
    ]
    lines.sort(key=lambda line: natural_key(line[0]))
    for namespace, group in groupby(lines, key=lambda line: line[0].partition("/")[0]):
        yield f"{namespace}:"
        yield from (f"  {text}" for _, text in group)


def _version(item: NextVersion) -> str:
    step = f"{item.old} -> {item.number}" if item.old else str(item.number)
    return f"{item.tag} {step}: {MEANINGS[item.bump]}"


def _value(value: Json) -> str:
    return "absent" if value is None else json.dumps(value, ensure_ascii=False)
