"""Names that other tags supersede: released ones are deprecated, others become aliases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catalogue_tools.entries import DEPRECATED, ReleasedTag
from catalogue_tools.tags import GeneratedTag, Superseded, WrittenTag


# Decision 136: a released name is never taken back, so it cannot become an alias.
def with_deprecations(
    released: Mapping[str, ReleasedTag], superseded: Iterable[Superseded]
) -> dict[str, ReleasedTag]:
    """Return released tags, those that others supersede as deprecated, the others as in use."""
    rows = {row.name: row for row in superseded}
    return {name: _deprecated(tag, rows.get(name)) for name, tag in released.items()}


def with_aliases(
    tags: Iterable[GeneratedTag],
    released: Collection[str],
    superseded: Iterable[Superseded],
) -> list[GeneratedTag]:
    """Return tags with the names that they supersede and that no release has as a tag."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for row in superseded:
        if row.name not in released:
            aliases[row.successor].append(row.name)
    return [replace(tag, aliases=(*tag.aliases, *aliases[tag.name])) for tag in tags]


def superseded_problems(
    superseded: Sequence[Superseded],
    tags: Iterable[GeneratedTag],
    written: Mapping[str, WrittenTag],
    released: Collection[str],
) -> Iterator[str]:
    """Yield a sentence for each name that cannot be superseded as stated."""
    given = {tag.name for tag in tags}
    replaced = {row.name for row in superseded}
    for row in superseded:
        if row.name in written and row.name not in released:
            yield f"{row.name} is written by hand only: deprecate it in its file."
        if row.successor in replaced or row.successor not in {*given, *written}:
            yield f"{row.name} is superseded by {row.successor}, which is no tag in use."
        if row.successor not in given and row.name not in released:
            yield f"{row.name} cannot be an alias of {row.successor}, which is not generated."


def _deprecated(tag: ReleasedTag, row: Superseded | None) -> ReleasedTag:
    entry = {name: value for name, value in tag.entry.items() if name != DEPRECATED}
    if row is None:
        return replace(tag, entry=entry)
    versions = entry.pop("versions")
    reason = {"reason": row.reason, "successor": row.successor}
    return replace(tag, entry={**entry, DEPRECATED: reason, "versions": versions})
