"""Stores any number of drafts as versions, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from registry.domain.document import canonical
from registry.domain.version_number import VersionNumber
from registry.models import Ancestry, Dependency, Tag, User, Version, VersionKind
from registry.services.core.transactions import EventEntry, append_events
from registry.services.versions import linting
from registry.services.versions.drafting import Draft

NUMBERS = ("major", "minor", "patch")
BATCH_SIZE = 2000  # rows of a table per statement


@dataclass(frozen=True, slots=True)
class NumberedDraft:
    """A draft with its version number, message and sources."""

    draft: Draft
    number: VersionNumber
    tag: Tag
    message: str
    sources: Sequence[str] = ()
    author_id: int | None = None  # the account that wrote the body, if not the publisher's


def store_versions(ready: Sequence[NumberedDraft], *, publisher: User) -> list[Version]:
    """Store new versions, none of which uses another, and their events. Call under the lock."""
    versions = Version.objects.bulk_create(
        [_version(item, publisher) for item in ready], BATCH_SIZE
    )
    pairs = list(zip(versions, ready, strict=True))
    VersionKind.objects.bulk_create(
        (
            VersionKind(version=version, revision_id=item.draft.current.revisions[name])
            for version, item in pairs
            for name in sorted(item.draft.fits)
        ),
        BATCH_SIZE,
    )
    Dependency.objects.bulk_create(
        (use for version, item in pairs for use in _uses(version, item.draft)), BATCH_SIZE
    )
    linting.store_lints((version, item.draft.own_lints) for version, item in pairs)
    ancestors = _ancestors(ready)
    Ancestry.objects.bulk_create(
        (row for version, item in pairs for row in _ancestry(version, item.draft, ancestors)),
        BATCH_SIZE,
    )
    append_events([_event(version, item.draft) for version, item in pairs], actor=publisher)
    return versions


def _version(ready: NumberedDraft, publisher: User) -> Version:
    draft, resolved = ready.draft, ready.draft.resolution
    return Version(
        tag=ready.tag,
        **asdict(ready.number),
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
        dependencies=_text([_use_json(use) for use in resolved.dependencies]),
        depth=resolved.depth,
        message=ready.message,
        sources=_text(list(ready.sources)),
        published=timezone.now(),
        publisher=publisher,
        author_id=ready.author_id if ready.author_id != publisher.pk else None,
    )


def _uses(version: Version, draft: Draft) -> Iterator[Dependency]:
    choices = draft.dependencies.choices
    for position, use in enumerate(draft.resolution.dependencies):
        choice = choices[use.requested]
        yield Dependency(
            version=version,
            position=position,
            pointer=use.pointer,
            requested=use.requested,
            name_id=choice.name,
            is_floating=choice.is_floating,
            resolved_id=choice.version.pk,
            relation=use.relation,
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


def _ancestry(version: Version, draft: Draft, ancestors: Mapping[str, int]) -> Iterator[Ancestry]:
    flat = [
        (distance, exact)
        for distance, level in enumerate(draft.resolution.lineage, start=1)
        for exact in level
    ]
    for position, (distance, exact) in enumerate(flat):
        yield Ancestry(
            version=version, position=position, distance=distance, ancestor_id=ancestors[exact]
        )


def _event(version: Version, draft: Draft) -> EventEntry:
    detail = {"bump": draft.bump, "digest": version.digest}
    return EventEntry("version.published", version.exact, draft.tag.namespace, detail)


def _use_json(use: Any) -> dict[str, str]:
    return {
        "pointer": use.pointer,
        "requested": use.requested,
        "resolved": use.resolved,
        "relation": str(use.relation),
    }


def _text(value: Any) -> str:
    return canonical(value).decode()
