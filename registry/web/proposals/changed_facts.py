"""The hardware facts that a proposal changes, each beside the pages that state it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from registry.domain.kinds.kinds import Kinds
from registry.services.versions.drafting import Draft
from registry.web.versions.fact_groups import SourceLinks, hardware_machines


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact before and after, for people, and the sources of its group or of all facts."""

    label: str
    old: str
    new: str
    sources: SourceLinks


def changed_facts(draft: Draft, kinds: Kinds) -> list[ChangedFact]:
    """Return the facts that are new or differ from the newest version; all of a first version."""
    return [*_changed(draft, kinds)]


def _changed(draft: Draft, kinds: Kinds) -> Iterator[ChangedFact]:
    changes = {change.pointer: change for change in draft.diff} if draft.base else {}
    for machine in hardware_machines(draft.resolution.target, kinds):
        for group in machine.groups:
            for fact in group.facts:
                change = changes.get(fact.pointer)
                if change or not draft.base:
                    old = change.old if change else None
                    before = replace(fact, value=old.value).readable if old else ""
                    sources = group.sources or machine.sources
                    yield ChangedFact(fact.label, before, fact.readable, sources)
