"""Finds what would make generated tags wrong in any catalogue."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from catalogue_tools.hardware import group_of
from catalogue_tools.tags import Disagreement, GeneratedTag, WrittenTag
from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.kinds.hardware import SOURCES, hardware_of
from registry.domain.resolution.body_references import Relation, body_references
from registry.domain.resolution.resolution import MAX_DEPTH
from ttag_rules.names import alias_problem, tag_problem

MAX_TAGS = 400  # in one file, which people read
FILE = re.compile(r"[a-z0-9][a-z0-9._-]*(?:/[a-z0-9][a-z0-9._-]*)+")


def find_problems(
    tags: Sequence[GeneratedTag],
    disagreements: Iterable[Disagreement],
    written: Mapping[str, WrittenTag],
    namespaces: Collection[str],
) -> list[str]:
    """Return a sentence for each problem; none if the tags and the hand-written ones fit."""
    names = {*written, *(tag.name for tag in tags)}
    return [
        *_bad_names(tags, written, namespaces),
        *_bad_files(tags),
        *_unknown_references(tags, written),
        *_families_without_heirs(tags, written),
        *_facts_without_sources(tags, written),
        *(
            f"A disagreement names {item.tag}, which is no tag."
            for item in disagreements
            if item.tag not in names
        ),
    ]


def _bad_names(
    tags: Sequence[GeneratedTag], written: Mapping[str, WrittenTag], namespaces: Collection[str]
) -> Iterator[str]:
    owners = {name: tag.name for tag in written.values() for name in tag.names}
    for tag in tags:
        yield from filter(None, (tag_problem(tag.name), *map(alias_problem, tag.aliases)))
        for name in tag.names:
            if name.partition("/")[0] not in namespaces:
                yield f"{name} has a namespace that namespaces.json lacks."
            if owners.get(name, tag.name) != tag.name:
                yield f"{name} is a name or alias of the hand-written {owners[name]}."
    for name, count in sorted(Counter(name for tag in tags for name in tag.names).items()):
        if count > 1:
            yield f"{name} is the name or alias of {count} generated tags."


def _bad_files(tags: Iterable[GeneratedTag]) -> Iterator[str]:
    for file, count in sorted(Counter(tag.file for tag in tags).items()):
        if not FILE.fullmatch(file):
            yield f"{file} is not a folder and a file in lowercase letters, without extension."
        if count > MAX_TAGS:
            yield f"{file} would hold {count} tags: at most {MAX_TAGS}."


def _unknown_references(
    tags: Iterable[GeneratedTag], written: Mapping[str, WrittenTag]
) -> Iterator[str]:
    names = {name for tag in (*written.values(), *tags) for name in tag.names}
    for tag in tags:
        try:
            references = body_references(dict(tag.body))
        except Refused as refusal:
            yield f"{tag.name}: {refusal.detail}"
            continue
        for request in references:
            if request.reference.text not in names:
                yield f"{tag.name} refers to {request.reference.text}, which is no tag."


def _families_without_heirs(
    tags: Iterable[GeneratedTag], written: Mapping[str, WrittenTag]
) -> Iterator[str]:
    bodies: list[Json] = [dict(tag.body) for tag in tags]
    bodies += [body for tag in written.values() for body in tag.bodies]
    parents = {parent for body in bodies for parent in _parents(body)}
    families = {tag.name for tag in (*tags, *written.values()) if tag.is_family}
    for family in sorted(families - parents):
        yield f"{family} is a family that nothing inherits from."


def _facts_without_sources(
    tags: Iterable[GeneratedTag], written: Mapping[str, WrittenTag]
) -> Iterator[str]:
    bodies: dict[str, Json] = {name: tag.bodies[-1] for name, tag in written.items() if tag.bodies}
    bodies |= {tag.name: dict(tag.body) for tag in tags}
    for tag in tags:
        facts = hardware_of(bodies[tag.name])
        stated = {group_of(name) for name in facts if name != SOURCES and facts[name] is not None}
        for group in sorted(stated - _sourced_groups(tag.name, bodies)):
            yield f"{tag.name} states facts of the group {group} without a source."


def _sourced_groups(tag: str, bodies: Mapping[str, Json], depth: int = 0) -> set[str]:
    """Return the groups of hardware facts that a tag, or what it inherits from, has sources for."""
    body = bodies.get(tag)
    sources = hardware_of(body).get(SOURCES)
    own = {name for name in sources if sources[name]} if isinstance(sources, dict) else set()
    if body is None or depth > MAX_DEPTH:
        return own
    return own.union(*(_sourced_groups(parent, bodies, depth + 1) for parent in _parents(body)))


def _parents(body: Json) -> Iterator[str]:
    try:
        references = body_references(body)
    except Refused:
        return
    for request in references:
        if request.relation is Relation.INHERITS:
            yield request.reference.text
