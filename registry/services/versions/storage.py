"""Stores any number of drafts as versions, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from registry.domain.document import canonical
from registry.models import Ancestry, Dependency, Tag, User, Version, VersionKind, VersionLeaf
from registry.models.row_insertion import insert_instances, insert_rows
from registry.models.versions import NUMBERS
from registry.services.event_log.appending import EventEntry, append_events
from registry.services.search import totals
from registry.services.versions import linting
from registry.services.versions.drafting import Draft
from ttag_rules.version_number import VersionNumber

USE_COLUMNS = (
    "version_id",
    "position",
    "pointer",
    "requested",
    "name_id",
    "is_floating",
    "resolved_id",
    "relation",
)


@dataclass(frozen=True, slots=True)
class NumberedDraft:
    """A draft with its version number, message and sources."""

    draft: Draft
    number: VersionNumber
    tag: Tag
    message: str
    sources: Sequence[str] = ()
    author_id: int | None = None  # the account that wrote the body, if not the publisher's


# Decision 020: the only function that stores versions, any number at a time.
def store_versions(ready: Sequence[NumberedDraft], *, publisher: User) -> list[Version]:
    """Store new versions, none of which uses another, and their events. Call under the lock."""
    versions = insert_instances(_version(item, publisher) for item in ready)
    pairs = list(zip(versions, ready, strict=True))
    insert_rows(
        VersionKind,
        ("version_id", "revision_id"),
        (
            (version.pk, item.draft.current.revisions[name])
            for version, item in pairs
            for name in sorted(item.draft.fits)
        ),
    )
    insert_rows(
        Dependency,
        USE_COLUMNS,
        (use for version, item in pairs for use in _uses(version, item.draft)),
    )
    linting.store_lints((version, item.draft.own_lints) for version, item in pairs)
    # Decision 006: the lineage is also rows, for queries in the other direction.
    ancestors = _ancestors(ready)
    insert_rows(
        Ancestry,
        ("version_id", "position", "distance", "ancestor_id"),
        (row for version, item in pairs for row in _ancestry(version, item.draft, ancestors)),
    )
    numbers = append_events(
        [_event(version, item.draft) for version, item in pairs], actor=publisher
    )
    store_leaves(zip(numbers, (version.pk for version in versions), strict=True))
    totals.add_versions(item.tag for item in ready)
    return versions


def store_leaves(leaves: Iterable[tuple[int, int]]) -> None:
    """Store the events whose leaves state the digests of versions, by the keys of both."""
    insert_rows(VersionLeaf, ("event", "version_id"), leaves)


def _version(ready: NumberedDraft, publisher: User) -> Version:
    draft, resolved = ready.draft, ready.draft.resolution
    return Version(
        tag=ready.tag,
        major=ready.number.major,
        minor=ready.number.minor,
        patch=ready.number.patch,
        kind=resolved.target.get("kind", ""),
        source=draft.source,
        target=resolved.text.decode(),
        size=len(resolved.text),
        digest=draft.digest,
        provenance=_text(dict(resolved.provenance)),
        tuning_keys=_text(dict(draft.tuning_keys)),
        build_digest=draft.edition.build.digest,
        is_host_dependent=draft.edition.build.is_host_dependent,
        lineage=_text(list(resolved.ancestors)),
        dependencies=_text([use.as_json for use in resolved.dependencies]),
        depth=resolved.depth,
        message=ready.message,
        sources=_text(list(ready.sources)),
        published=timezone.now(),
        publisher=publisher,
        author_id=ready.author_id if ready.author_id != publisher.pk else None,
    )


def _uses(version: Version, draft: Draft) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `USE_COLUMNS` for each direct use."""
    choices = draft.dependencies.choices
    for position, use in enumerate(draft.resolution.dependencies):
        choice = choices[use.requested]
        yield (
            version.pk,
            position,
            use.pointer,
            use.requested,
            choice.name,
            choice.is_floating,
            choice.version.pk,
            str(use.relation),
        )


def _ancestors(ready: Sequence[NumberedDraft]) -> dict[str, int]:
    """Return the primary keys of all ancestors of the drafts, by exact reference."""
    direct = {
        choice.exact: choice.version.pk
        for item in ready
        for choice in item.draft.dependencies.choices.values()
    }
    required = {exact for item in ready for exact in item.draft.resolution.ancestors}
    if required <= direct.keys():
        return direct
    above = Ancestry.objects.filter(version__in=set(direct.values())).values("ancestor")
    further = Version.objects.filter(pk__in=above).select_related("tag").only("tag__text", *NUMBERS)
    return direct | {version.exact: version.pk for version in further}


def _ancestry(
    version: Version, draft: Draft, ancestors: Mapping[str, int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield version, position, distance and ancestor."""
    flat = [
        (distance, exact)
        for distance, level in enumerate(draft.resolution.lineage, start=1)
        for exact in level
    ]
    for position, (distance, exact) in enumerate(flat):
        yield version.pk, position, distance, ancestors[exact]


def _event(version: Version, draft: Draft) -> EventEntry:
    detail = {"bump": draft.bump, "digest": version.digest}
    return EventEntry("version.published", version.exact, draft.tag.namespace, detail)


def _text(value: Any) -> str:
    return canonical(value).decode()
