"""Let the sources of a change count for the hardware facts that it states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from registry.domain.kinds.hardware import ALL, SOURCES, fact_groups
from registry.domain.kinds.kinds import Kind


# Decision 160: who enters a source enters it once.
def with_sources(
    facts: Mapping[str, Any],
    before: Mapping[str, Any],
    urls: Sequence[str],
    kind: Kind,
    *,
    inherited: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return hardware facts with `urls` as sources of the facts that are not as `before`.

    They stand under the groups of these facts, or under `all` if everything is new, nothing else
    supports it, and nothing can be inherited. Sources that the facts state or inherit stay.
    """
    stated = facts.get(SOURCES) or {}
    known = {**((inherited or {}).get(SOURCES) or {}), **stated} if _are_lists(stated) else {}
    changed = dict.fromkeys(_changed_groups(facts, before, kind))
    if not changed or not urls or not _are_lists(stated):
        return dict(facts)
    everything = {group for name, group in fact_groups(kind).items() if name in facts}
    is_all = inherited is None and not stated and everything == changed.keys()
    added = {
        group: [*known.get(group, []), *new]
        for group in ([ALL] if is_all else changed)
        if (new := [url for url in urls if url not in (*known.get(ALL, []), *known.get(group, []))])
    }
    sources = {**stated, **added}
    return {**facts, SOURCES: sources} if sources else dict(facts)


def _changed_groups(
    facts: Mapping[str, Any], before: Mapping[str, Any], kind: Kind
) -> Iterator[str]:
    """Yield the groups of the facts that are stated and not as before, in the schema's order."""
    for name, group in fact_groups(kind).items():
        if facts.get(name) is not None and facts[name] != before.get(name):
            yield group


def _are_lists(sources: object) -> bool:
    """Return whether the sources are lists of pages by group, none of them an edit."""
    return isinstance(sources, dict) and all(isinstance(urls, list) for urls in sources.values())
