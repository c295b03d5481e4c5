"""Newest versions drafted again from their unchanged sources, a thousand at a time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from registry.domain import document
from registry.domain.body_references import body_references
from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.merging import PublishedVersion
from registry.domain.reference import Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Version
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import dependencies, drafting, selection
from registry.services.versions.dependents_graph import Downstream, chunks
from registry.services.versions.drafting import Draft, TagHistory
from registry.services.versions.selection import SelectedVersion

BATCH_SIZE = 1000  # tags drafted together; their bodies are some 2 MB
BATCH_BYTES = 32 * 1024 * 1024  # of targets, where they are large


@dataclass(frozen=True, slots=True)
class MovedReference:
    """A reference that would be answered by another version."""

    requested: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Redraft:
    """A newest version's source, drafted against what its references stand for now.

    Without `moves` nothing has changed for it, and there is neither draft nor refusal.
    """

    version: Version
    moves: tuple[MovedReference, ...] = ()
    draft: Draft | None = None
    refusal: Refused | None = None


@dataclass(slots=True)
class PendingVersions:
    """Versions that are not published yet, by the primary keys of their tags.

    Drafts see them as if they were there.
    """

    versions: dict[int, Version] = field(default_factory=dict)
    published: dict[int, PublishedVersion] = field(default_factory=dict)

    def add(self, tag: int, draft: Draft) -> None:
        """Let a draft be seen by those that follow; one that changes nothing is not."""
        if draft.number is None:
            return
        number, resolved = draft.number, draft.resolution
        version = Version(
            tag_id=tag,
            major=number.major,
            minor=number.minor,
            patch=number.patch,
            digest=draft.digest,
            size=len(resolved.text),
        )
        version.last_yanked = None
        self.versions[tag] = version
        self.published[tag] = PublishedVersion(
            tag=str(draft.tag),
            number=number,
            target=resolved.target,
            provenance=resolved.provenance,
            lineage=resolved.lineage,
            depth=resolved.depth,
        )

    def drop(self, tags: Collection[int]) -> None:
        """Forget what nobody asks for anymore."""
        for tag in tags:
            self.versions.pop(tag, None)
            self.published.pop(tag, None)


def redraft_all(
    found: Downstream, coming: PendingVersions, current: CurrentKinds
) -> Iterator[Redraft]:
    """Draft all that is downstream, each after what it is made from, as if all were published.

    Holds in memory one batch, and the drafts that others to come are made from. Eight queries for
    each level, and for each thousand tags of one.
    """
    last_use = found.last_use
    for level, tags in enumerate(found.levels):
        for chunk in chunks(tags, BATCH_SIZE):
            for each in redraft(chunk, coming, current):
                if each.draft and each.version.tag_id in last_use:
                    coming.add(each.version.tag_id, each.draft)
                yield each
        coming.drop([tag for tag, last in last_use.items() if last == level])


def redraft(
    tags: Sequence[int], coming: PendingVersions, current: CurrentKinds
) -> Iterator[Redraft]:
    """Draft the newest versions of some tags again. Six queries, more where targets are large."""
    taken: dict[int, list[VersionNumber]] = defaultdict(list)
    numbers = Version.objects.filter(tag__in=tags).values_list("tag", "major", "minor", "patch")
    for tag, *parts in numbers:
        taken[tag].append(VersionNumber(*parts))
    sizes = dict(Version.objects.filter(entry__tag__in=tags).values_list("pk", "size"))
    for part in _bounded(sizes):
        versions = Version.objects.filter(pk__in=part).select_related("tag").order_by("tag__text")
        bodies = [(version, document.parse_json(version.source)) for version in versions]
        yield from _batch(bodies, taken, coming, current)


def _bounded(sizes: Mapping[int, int]) -> Iterator[list[int]]:
    """Versions, so many together that their targets stay within BATCH_BYTES."""
    part: list[int] = []
    total = 0
    for pk, size in sizes.items():
        if part and total + size > BATCH_BYTES:
            yield part
            part, total = [], 0
        part.append(pk)
        total += size
    if part:
        yield part


def _batch(
    bodies: Sequence[tuple[Version, Json]],
    taken: Mapping[int, Sequence[VersionNumber]],
    coming: PendingVersions,
    current: CurrentKinds,
) -> Iterator[Redraft]:
    asked = {version.pk: list(body_references(body)) for version, body in bodies}
    references = {str(r.reference): r.reference for found in asked.values() for r in found}
    answers = selection.select_all(list(references.values()), coming.versions)
    moved = {version.pk: moved_references(version, answers) for version, _ in bodies}
    needed = {
        answer.version.pk
        for version, _ in bodies
        for answer in (answers[str(r.reference)] for r in asked[version.pk])
        if moved[version.pk] and isinstance(answer, SelectedVersion) and answer.version.pk
    }
    stored = dependencies.load_published(needed) if needed else {}
    for version, body in bodies:
        if not moved[version.pk]:
            yield Redraft(version)
            continue
        past = TagHistory(taken[version.tag_id], drafting.load_base(version))
        try:
            choices = dependencies.accept_selected(asked[version.pk], answers)
            found = _library(choices, stored, coming)
            name = TagName.parse(version.tag.text)
            draft = drafting.compute_draft(
                version.source, body, name, found=found, past=past, current=current
            )
            yield Redraft(version, moved[version.pk], draft=draft)
        except Refused as refusal:
            yield Redraft(version, moved[version.pk], refusal=refusal)


def moved_references(
    version: Version, answers: Mapping[str, SelectedVersion | Refused]
) -> tuple[MovedReference, ...]:
    """What its references stand for now and did not when it was published.

    `answers` has one for each of them.
    """
    found = {}
    for use in json.loads(version.dependencies):
        requested = use["requested"]
        answer = answers[requested]
        new = answer.exact if isinstance(answer, SelectedVersion) else ""
        if new != use["resolved"]:
            found[requested] = MovedReference(requested, use["resolved"], new)
    return tuple(found.values())


def _library(
    choices: Mapping[str, SelectedVersion],
    stored: Mapping[int, PublishedVersion],
    coming: PendingVersions,
) -> dependencies.Dependencies:
    """What the choices stand for, whether stored or coming. Raises `Refused` (TOO_LARGE)."""
    distinct = {choice.exact: choice.version.size for choice in choices.values()}
    dependencies.refuse_too_large(sum(distinct.values()))
    versions = {
        text: stored[choice.version.pk] if choice.version.pk else coming.published[choice.tag.pk]
        for text, choice in choices.items()
    }
    return dependencies.Dependencies(choices, versions)
