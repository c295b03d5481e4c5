"""Lets generated tags follow the newest versions of the tags that they refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from catalogue_tools.entries import ReleasedTag
from catalogue_tools.in_memory import InMemoryRegistry
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.resolution.body_references import body_references
from registry.services.catalogue.shipped_order import sort_into_levels
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from ttag_rules.pointer import ROOT, child

Majors = Mapping[tuple[str, str], str]


def follow_references(
    tags: Iterable[GeneratedTag], released: Mapping[str, ReleasedTag], registry: InMemoryRegistry
) -> tuple[list[GeneratedTag], list[str]]:
    """Return the tags with the references that they get, and sentences about what is refused.

    Generators write `aws/c8g@1` for a tag of today's facts. If these give `aws/c8g` another major,
    the reference follows it. A released tag whose body stays, and whose target does not, is
    renewed, as by a rebase. `registry` has the released and the hand-written versions; the new ones
    of `tags` are published in it.
    """
    by_name = {tag.name: tag for tag in tags}
    followed: list[GeneratedTag] = []
    problems: list[str] = []
    for name in _parents_first(by_name.values()):
        tag = by_name[name]
        body = _followed({**tag.body}, registry)
        stays = name in released and released[name].states(body)
        if stays:
            body = released[name].newest_body
        try:
            is_new = not stays or _has_another_target(name, body, registry)
            followed.append(replace(tag, body=body, is_renewed=stays and is_new))
            if is_new:
                registry.publish(name, body)
        except Refused as refusal:
            problems.append(f"{name} is refused: {refusal.detail}")
    return followed, problems


def _parents_first(tags: Iterable[GeneratedTag]) -> Iterator[str]:
    shipped = [ShippedTag(tag.name, (), (ShippedVersion({**tag.body}, ""),)) for tag in tags]
    for level in sort_into_levels(shipped):
        yield from (tag.name for tag in level)


def _has_another_target(name: str, body: Json, registry: InMemoryRegistry) -> bool:
    return registry.resolve(body).text != registry.versions[name][-1].resolution.text


def _followed(body: dict[str, Json], registry: InMemoryRegistry) -> dict[str, Json]:
    majors = _majors(body, registry)
    return {key: _part(key, part, ROOT, majors) for key, part in body.items()}


def _majors(body: Json, registry: InMemoryRegistry) -> Majors:
    """Return the references of a body to a major as they are to be, by pointer and text."""
    majors = {}
    for item in body_references(body):
        text = str(item.reference)
        name, _, number = text.partition("@")
        if number.isdigit() and name in registry.versions:
            newest = max(version.number for version in registry.versions[name])
            majors[item.pointer, text] = f"{name}@{newest.major}"
    return majors


def _part(key: str, part: Json, pointer: str, majors: Majors) -> Json:
    """Return a member of the target at a pointer, which is also that of its parents' names."""
    if key == "tag":
        return _parents(part, pointer, majors)
    return _with_newest_majors(part, child(pointer, key), majors)


def _with_newest_majors(value: Json, pointer: str, majors: Majors) -> Json:
    if isinstance(value, dict):
        return {key: _part(key, part, pointer, majors) for key, part in value.items()}
    if isinstance(value, list):
        return [
            _with_newest_majors(part, child(pointer, index), majors)
            for index, part in enumerate(value)
        ]
    return majors.get((pointer, value), value) if isinstance(value, str) else value


def _parents(names: Json, pointer: str, majors: Majors) -> Json:
    if isinstance(names, list):
        return [_parents(name, pointer, majors) for name in names]
    return majors.get((pointer, names), names) if isinstance(names, str) else names
