"""Generates the files of the catalogue from what generators yield."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from catalogue_tools.corrections import correct_facts
from catalogue_tools.entries import Entry, ReleasedTag, tag_entries
from catalogue_tools.following import follow_references
from catalogue_tools.generators import GENERATORS, Generator
from catalogue_tools.in_memory import InMemoryRegistry, publish_in_memory
from catalogue_tools.layout import layout
from catalogue_tools.problems import find_problems
from catalogue_tools.superseded import superseded_problems, with_aliases, with_deprecations
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing, Superseded, WrittenTag
from registry.domain.document import Json
from registry.services.catalogue import lock
from registry.services.core import shipped_facts
from registry.services.core.catalogue_files import read_tags
from registry.services.core.shipped_facts import GENERATED, ShippedTag

Item = TypeVar("Item", Disagreement, Missing)

DISAGREEMENTS = "disagreements.json"
MISSING = "missing.json"


@dataclass(frozen=True, slots=True)
class Generation:
    """The files that the facts give, by path in the catalogue, and the tags left to others."""

    files: Mapping[str, str]
    left_out: tuple[str, ...]  # names that hand-written files have
    gone: tuple[str, ...] = ()  # released tags that the facts no longer give


class GenerationError(ValueError):
    """Generators yielded tags that no catalogue can have. `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def generate_shipped() -> Generation:
    """Return the files that the recorded facts give. Raises `GenerationError` or `LockError`."""
    written = {tag.name: _written(tag) for tag in shipped_facts.written_tags()}
    namespaces = [entry["name"] for entry in shipped_facts.every_namespace()]
    registry = publish_in_memory(_without_unreleased(written))
    return generate(GENERATORS, written, namespaces, _released(written), registry)


def generate(
    generators: Iterable[Generator],
    written: Mapping[str, WrittenTag],
    namespaces: Iterable[str],
    released: Mapping[str, ReleasedTag] | None = None,
    registry: InMemoryRegistry | None = None,
) -> Generation:
    """Run the generators, and return the files of their tags, disagreements and missing products.

    A released tag that another one supersedes stays as it is, deprecated; other such names become
    aliases. `written` are the tags of hand-written files, by name: a tag that these state is left
    out, unless one of its versions mirrors TVM; then the generated version follows the last.
    `released` are the generated tags of earlier releases: what the facts give now follows their
    versions, if it differs. References go to the newest major in `registry`, which has the
    hand-written and the released versions; without it they stay. Raises `GenerationError`.
    """
    yielded = [item for generator in generators for item in generator()]
    by_facts = [item for item in yielded if isinstance(item, GeneratedTag)]
    tags, no_use = correct_facts(by_facts) if registry else (by_facts, [])
    disagreements = [item for item in yielded if isinstance(item, Disagreement)]
    missing = [item for item in yielded if isinstance(item, Missing)]
    left_out = {tag.name for tag in tags if is_written(tag, written)}
    kept = [tag for tag in tags if tag.name not in left_out]
    superseded = [item for item in yielded if isinstance(item, Superseded)]
    released = released or {}
    problems = [*superseded_problems(superseded, kept, written, released)]
    kept = with_aliases(kept, released, superseded)
    names = {tag.name for tag in kept}
    gone = {name: tag.as_written() for name, tag in released.items() if name not in names}
    known = {**gone, **written}
    problems += [*no_use, *find_problems(kept, disagreements, known, frozenset(namespaces))]
    if problems:
        raise GenerationError(problems)
    if registry:
        kept, problems = follow_references(kept, released, registry)
        if problems:
            raise GenerationError(problems)
    entries = tag_entries(kept, with_deprecations(released, superseded, registry))
    files = {f"{GENERATED}/{file}.json": _list("tags", tags) for file, tags in entries.items()} | {
        DISAGREEMENTS: _list("disagreements", map(_disagreement, _sorted(disagreements))),
        MISSING: _list("missing", map(_missing, _sorted(missing))),
    }
    no_longer_given = gone.keys() - {row.name for row in superseded}
    return Generation(files, tuple(sorted(left_out)), tuple(sorted(no_longer_given)))


def is_written(tag: GeneratedTag, written: Mapping[str, WrittenTag]) -> bool:
    """Return whether hand-written files have a tag that does not mirror one of TVM's."""
    return tag.name in written and not written[tag.name].mirrors_tvm


def _list(key: str, items: Iterable[Json]) -> str:
    """Return the text of a file that holds one list."""
    lines = ",\n".join("  " + layout(item, "  ") for item in items)
    return f'{{"{key}": [\n{lines}\n]}}\n' if lines else f'{{"{key}": []}}\n'


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=repr)


def _disagreement(item: Disagreement) -> dict[str, Json]:
    row: dict[str, Json] = {"tag": item.tag, "fact": item.fact, "values": dict(item.values)}
    return row | ({"choice": item.choice} if item.choice else {})


def _missing(item: Missing) -> dict[str, Json]:
    return {"product": item.product, "group": item.group, "reason": item.reason}


def _released(written: Mapping[str, WrittenTag]) -> dict[str, ReleasedTag]:
    """Return the generated tags with the versions that the lock file has."""
    locked = Counter(version.tag for version in lock.read_lock().versions)
    for name, tag in written.items():
        locked[name] -= len(tag.bodies)
    return {
        entry["tag"]: ReleasedTag(file, entry | {"versions": entry["versions"][:count]})
        for file, entry in generated_entries()
        if (count := locked[entry["tag"]]) > 0
    }


def _without_unreleased(written: Mapping[str, WrittenTag]) -> Iterator[ShippedTag]:
    """Yield the shipped tags without generated versions that no release has."""
    locked = Counter(version.tag for version in lock.read_lock().versions)
    for tag in shipped_facts.every_tag():
        by_hand = len(written[tag.name].bodies) if tag.name in written else 0
        if count := max(locked[tag.name], by_hand):
            yield replace(tag, versions=tag.versions[:count])


def _written(tag: ShippedTag) -> WrittenTag:
    return WrittenTag(
        tag.name,
        tag.aliases,
        tuple(version.body for version in tag.versions),
        tag.is_family,
        any(version.mirrors for version in tag.versions),
    )


def generated_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entries of generated files, each with its file, as generators name it."""
    folder = shipped_facts.CATALOGUE / GENERATED
    for path in sorted(folder.rglob("*.json")):
        for entry in read_tags(path):
            yield str(path.relative_to(folder).with_suffix("")), entry


def entries_in(files: Mapping[str, str]) -> Iterator[Entry]:
    """Yield the entries of generated tags in the texts of files, by path in the catalogue."""
    for path, text in files.items():
        if path.startswith(f"{GENERATED}/"):
            yield from json.loads(text)["tags"]
