"""Computes what other tables of facts would change in the catalogue, without writing anything."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from catalogue_tools.entries import Entry, states_the_same
from catalogue_tools.equal_targets import equal_targets
from catalogue_tools.facts import Table, replaced_tables
from catalogue_tools.generate import (
    DISAGREEMENTS,
    GenerationError,
    entries_in,
    generate_shipped,
    generated_entries,
)
from catalogue_tools.in_memory import InMemoryRegistry, InMemoryVersion, publish_in_memory
from catalogue_tools.version_impact import VersionImpact, publish_bodies
from registry.domain.document import Json
from registry.domain.lints.rules import lint_target
from registry.services.core import shipped_facts


@dataclass(frozen=True)
class TableImpact:
    """The consequences of other tables. `problems` are sentences.

    `gone` are tags that the facts no longer give: a released one stays as it is.
    """

    versions: VersionImpact = field(default_factory=VersionImpact)
    gone: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    new_disagreements: tuple[str, ...] = ()
    settled_disagreements: tuple[str, ...] = ()


def table_impact(tables: Iterable[Table]) -> TableImpact:
    """Return the impact of tables on a registry that has loaded the shipped catalogue.

    If no catalogue can be generated from them, it has problems only. Raises `LockError`.
    """
    try:
        with replaced_tables({table.name: table for table in tables}):
            generation = generate_shipped()
    except GenerationError as error:
        return TableImpact(problems=error.problems)
    except LookupError as error:
        return TableImpact(problems=(_unknown_fact(error),))
    shipped = {entry["tag"]: entry for _, entry in generated_entries()}
    generated = {entry["tag"]: entry for entry in entries_in(generation.files)}
    versions, problems = _publish(_changed_bodies(shipped, generated), _families(generated))
    shipped_text = (shipped_facts.CATALOGUE / DISAGREEMENTS).read_text(encoding="utf-8")
    old, new = (
        json.loads(text)["disagreements"]
        for text in (shipped_text, generation.files[DISAGREEMENTS])
    )
    return TableImpact(
        versions,
        tuple(sorted({*generation.gone, *(shipped.keys() - generated.keys())})),
        tuple(problems),
        tuple(_without(new, old)),
        tuple(_without(old, new)),
    )


def _unknown_fact(error: LookupError) -> str:
    """Return a sentence about a value in a table that a generator knows nothing of."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{PurePath(frame.filename).stem}.{frame.name}"
    return f"{place} knows nothing of {error}: another table, or the generator, lacks it."


def _publish(
    bodies: Mapping[str, Json], families: frozenset[str]
) -> tuple[VersionImpact, list[str]]:
    """Publish bodies after the shipped catalogue; return the versions and the new problems."""
    if not bodies:
        return VersionImpact(), []
    registry = publish_in_memory()
    before = {tag: versions[-1] for tag, versions in registry.versions.items()}
    equal_before = set(equal_targets(registry, families))
    impact = publish_bodies(registry, bodies)
    equal = [pair for pair in equal_targets(registry, families) if pair not in equal_before]
    return impact, [
        *impact.refusals,
        *_new_lints(registry, before, families),
        *(f"{left} and {right} would have equal targets." for left, right in equal),
    ]


def _families(generated: Mapping[str, Entry]) -> frozenset[str]:
    names = {tag for tag, entry in generated.items() if entry.get("family")}
    return frozenset(names | {tag.name for tag in shipped_facts.every_tag() if tag.is_family})


def _changed_bodies(
    shipped: Mapping[str, Entry], generated: Mapping[str, Entry]
) -> dict[str, Json]:
    """Return the newest bodies of tags that are new, or state other facts than before."""
    bodies = {tag: entry["versions"][-1]["target"] for tag, entry in generated.items()}
    return {
        tag: body
        for tag, body in bodies.items()
        if tag not in shipped or not states_the_same(shipped[tag]["versions"][-1]["target"], body)
    }


def _new_lints(
    registry: InMemoryRegistry, before: Mapping[str, InMemoryVersion], families: frozenset[str]
) -> Iterator[str]:
    """Yield a sentence for each lint of a new version that the former one had not."""
    for tag, versions in registry.versions.items():
        former = before.get(tag)
        if versions[-1] is not former:
            old = _lints(registry, tag, former, families) if former else {}
            for lint, detail in _lints(registry, tag, versions[-1], families).items():
                if lint not in old:
                    yield f"{tag} would have a lint, {lint[0]}: {detail}"


def _lints(
    registry: InMemoryRegistry, tag: str, version: InMemoryVersion, families: frozenset[str]
) -> dict[tuple[str, str], str]:
    target, facts = version.resolution.target, shipped_facts.lint_facts()
    lints = lint_target(target, registry.kinds, facts, is_family=tag in families)
    return {(lint.code, lint.pointer): lint.message for lint in lints}


def _without(rows: Iterable[Entry], others: Sequence[Entry]) -> list[str]:
    """Return the disagreements that others lack, in words."""
    return [
        f"{row['tag']}: {row['fact']} is {' or '.join(map(str, row['values'].values()))}"
        for row in rows
        if not any(states_the_same(row, other) for other in others)
    ]
