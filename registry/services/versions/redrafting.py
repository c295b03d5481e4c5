"""Drafts newest versions again from their unchanged sources, a thousand at a time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from registry.domain.errors import Refused
from registry.domain.reference import Tag as TagName
from registry.domain.resolution.merging import PublishedVersion
from registry.models import Version
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import dependencies, drafting, selection
from registry.services.versions.dependents_graph import Downstream, chunks
from registry.services.versions.drafting import Draft, ParsedBody, TagHistory
from registry.services.versions.selection import SelectedVersion
from ttag_rules.version_number import VersionNumber

BATCH_SIZE = 1000  # tags drafted together, with about 2 MB of bodies
BATCH_BYTES = 32 * 1024 * 1024  # of targets drafted together


@dataclass(frozen=True, slots=True)
class MovedReference:
    """A reference that now resolves to another version; `new` is empty if to none."""

    requested: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Redraft:
    """A newest version, drafted again with the current versions of its references.

    Without `moves` there is neither a draft nor a refusal.
    """

    version: Version
    moves: tuple[MovedReference, ...] = ()
    draft: Draft | None = None
    refusal: Refused | None = None


@dataclass(slots=True)
class PendingVersions:
    """Versions to be published, by the primary keys of their tags.

    Other drafts treat them as published.
    """

    versions: dict[int, Version] = field(default_factory=dict)
    published: dict[int, PublishedVersion] = field(default_factory=dict)

    def add(self, tag: int, draft: Draft) -> None:
        """Add the version of a draft, unless the draft changes nothing."""
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
        """Remove the versions of some tags."""
        for tag in tags:
            self.versions.pop(tag, None)
            self.published.pop(tag, None)


def redraft_all(
    downstream: Downstream, pending: PendingVersions, current: CurrentKinds
) -> Iterator[Redraft]:
    """Draft all dependents, each after the tags it depends on, as if those were published.

    Keeps one batch in memory, and the drafts that later ones depend on. Takes at most six queries
    for each thousand tags of a level, or more if targets are large.
    """
    last_use = downstream.last_use
    for level, tags in enumerate(downstream.levels):
        for chunk in chunks(tags, BATCH_SIZE):
            for result in redraft(chunk, pending, current):
                if result.draft and result.version.tag_id in last_use:
                    pending.add(result.version.tag_id, result.draft)
                yield result
        pending.drop([tag for tag, last in last_use.items() if last == level])


def redraft(
    tags: Sequence[int], pending: PendingVersions, current: CurrentKinds
) -> Iterator[Redraft]:
    """Draft the newest versions of some tags again. At most six queries; more for large targets."""
    taken: dict[int, list[VersionNumber]] = defaultdict(list)
    numbers = Version.objects.filter(tag__in=tags).values_list("tag", "major", "minor", "patch")
    for tag, *parts in numbers:
        taken[tag].append(VersionNumber(*parts))
    sizes = dict(Version.objects.filter(entry__tag__in=tags).values_list("pk", "size"))
    for part in _split_by_size(sizes):
        versions = Version.objects.filter(pk__in=part).select_related("tag").order_by("tag__text")
        bodies = [(version, ParsedBody.parse(version.source)) for version in versions]
        yield from _redraft_batch(bodies, taken, pending, current)


def _split_by_size(sizes: Mapping[int, int]) -> Iterator[list[int]]:
    """Split versions into parts whose targets have at most BATCH_BYTES."""
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


def _redraft_batch(
    bodies: Sequence[tuple[Version, ParsedBody]],
    taken: Mapping[int, Sequence[VersionNumber]],
    pending: PendingVersions,
    current: CurrentKinds,
) -> Iterator[Redraft]:
    references = {str(r.reference): r.reference for _, body in bodies for r in body.references}
    answers = selection.select_all(list(references.values()), pending.versions)
    moved = {version.pk: moved_references(version, answers) for version, _ in bodies}
    needed = {
        answer.version.pk
        for version, body in bodies
        for answer in (answers[str(r.reference)] for r in body.references)
        if moved[version.pk] and isinstance(answer, SelectedVersion) and answer.version.pk
    }
    stored = dependencies.load_published(needed) if needed else {}
    for version, body in bodies:
        if not moved[version.pk]:
            yield Redraft(version)
            continue
        history = TagHistory(
            taken[version.tag_id], drafting.load_base(version), version.tag.is_family
        )
        try:
            choices = dependencies.accept_selected(body.references, answers)
            loaded = _dependencies(choices, stored, pending)
            name = TagName.parse(version.tag.text)
            draft = drafting.compute_draft(
                body, name, loaded=loaded, history=history, current=current
            )
            yield Redraft(version, moved[version.pk], draft=draft)
        except Refused as refusal:
            yield Redraft(version, moved[version.pk], refusal=refusal)


def moved_references(
    version: Version, answers: Mapping[str, SelectedVersion | Refused]
) -> tuple[MovedReference, ...]:
    """Return the references of a version that now resolve to other versions.

    `answers` holds the current resolution of each reference.
    """
    moved = {}
    for use in json.loads(version.dependencies):
        requested = use["requested"]
        answer = answers[requested]
        new = answer.exact if isinstance(answer, SelectedVersion) else ""
        if new != use["resolved"]:
            moved[requested] = MovedReference(requested, use["resolved"], new)
    return tuple(moved.values())


def _dependencies(
    choices: Mapping[str, SelectedVersion],
    stored: Mapping[int, PublishedVersion],
    pending: PendingVersions,
) -> dependencies.Dependencies:
    """Return the dependencies, stored or pending. Raises `Refused` (TOO_LARGE)."""
    dependencies.refuse_too_large(choices.values())
    versions = {
        text: stored[choice.version.pk] if choice.version.pk else pending.published[choice.tag.pk]
        for text, choice in choices.items()
    }
    return dependencies.Dependencies(choices, versions)
