"""Loads what a registry already has of the shipped names, and compares versions."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from registry.domain.document import canonical
from registry.domain.reference import Reference
from registry.models import Name, Version
from registry.models.versions import NUMBERS
from registry.services.core import redaction_marks
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from ttag_rules.selectors import Selector
from ttag_rules.version_number import VersionNumber

CHUNK_SIZE = 5000  # names in one query


@dataclass(frozen=True, slots=True)
class ExistingVersion:
    """A published version of a shipped tag, whoever published it."""

    number: VersionNumber
    source: str
    publisher: str
    is_redacted: bool


@dataclass(frozen=True, slots=True)
class ExistingName:
    """A name in this registry, with the reference that it points at if it is an alias."""

    text: str
    is_alias: bool
    target: Reference


@dataclass(frozen=True, slots=True)
class ExistingState:
    """The existing names and publications of shipped names."""

    names: Mapping[str, ExistingName]
    publications: Mapping[str, Sequence[ExistingVersion]]


def load_existing(tags: Sequence[ShippedTag]) -> ExistingState:
    """Return what exists of the names of some tags. One query, and two for each 5,000 tags."""
    names: dict[str, ExistingName] = {}
    publications: dict[str, list[ExistingVersion]] = {}
    redacted = redaction_marks.redacted_rows(Version._meta.label_lower)
    for start in range(0, len(tags), CHUNK_SIZE):
        chunk = tags[start : start + CHUNK_SIZE]
        names |= _names([name for tag in chunk for name in (tag.name, *tag.aliases)])
        publications |= _publications([tag.name for tag in chunk], redacted)
    return ExistingState(names, publications)


def points_at(name: ExistingName | None, tag: ShippedTag) -> bool:
    """Return whether a name is an alias of the newest version of a shipped tag."""
    return name is not None and name.is_alias and name.target == Reference(tag.name)


def missing_versions(
    tag: ShippedTag, existing: Sequence[ExistingVersion], account: str
) -> Sequence[ShippedVersion]:
    """Return the shipped versions of a tag after the last published one, whoever published it.

    Versions are matched by body, in order, so a version skipped once does not shift later ones.
    A redacted version that the catalogue published matches any body.
    """
    bodies = [canonical(json.loads(version.source)) for version in existing]
    start, last = 0, 0
    for position, version in enumerate(tag.versions if existing else (), start=1):
        body = canonical(version.body)
        for index in range(start, len(existing)):
            is_own_redacted = existing[index].is_redacted and existing[index].publisher == account
            if bodies[index] == body or is_own_redacted:
                start, last = index + 1, position
                break
    return tag.versions[last:]


def _names(texts: Sequence[str]) -> dict[str, ExistingName]:
    rows = Name.objects.filter(text__in=texts)
    columns = ("text", "is_alias", "tag__text", "digest", *NUMBERS)
    names = {}
    for text, is_alias, tag, digest, *parts in rows.values_list(*columns):
        numbers = tuple(part for part in parts if part is not None)
        names[text] = ExistingName(text, is_alias, Reference(tag, Selector(numbers, digest)))
    return names


def _publications(tags: Sequence[str], redacted: set[int]) -> dict[str, list[ExistingVersion]]:
    publications: dict[str, list[ExistingVersion]] = defaultdict(list)
    columns = ("pk", "tag__text", "publisher__username", "source", *NUMBERS)
    rows = Version.objects.filter(tag__text__in=tags).order_by("pk")
    for pk, tag, publisher, source, *numbers in rows.values_list(*columns):
        publications[tag].append(
            ExistingVersion(VersionNumber(*numbers), source, publisher, pk in redacted)
        )
    return publications
