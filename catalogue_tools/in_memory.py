"""Publishes versions in memory, with the numbers and digests that the registry gives them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from registry.domain.checks.checks import check_target
from registry.domain.document import Json, digest
from registry.domain.errors import Code, Refused
from registry.domain.kinds.kinds import Kind, Kinds
from registry.domain.reference import Reference
from registry.domain.resolution.body_references import body_references
from registry.domain.resolution.merging import PublishedVersion
from registry.domain.resolution.resolution import Resolution, resolve_body
from registry.domain.version_number import Bump, next_number
from registry.domain.versioning import Edition, compute_bump
from registry.services.catalogue import lock
from registry.services.catalogue.shipped_order import sort_into_levels, waves
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True)
class InMemoryVersion:
    """A published version with its source and resolution."""

    source: Json
    resolution: Resolution
    published: PublishedVersion
    yanked: bool = False

    @property
    def number(self) -> VersionNumber:
        return self.published.number

    @property
    def digest(self) -> str:
        return digest(self.resolution.text)


@dataclass(frozen=True)
class InMemoryDraft:
    """A body that could be published, with the number that it would have."""

    resolution: Resolution
    bump: Bump
    number: VersionNumber


@dataclass
class InMemoryRegistry:
    """Published versions by tag, with the lookup of references. It knows no aliases."""

    kinds: Kinds
    versions: dict[str, list[InMemoryVersion]] = field(default_factory=dict)

    def publish(self, tag: str, body: Any) -> PublishedVersion:
        """Resolve, check and number a body. Raises `Refused` as the registry does."""
        draft = self.draft(tag, body)
        return self.add(tag, body, draft.resolution, draft.number)

    def draft(self, tag: str, body: Any) -> InMemoryDraft:
        """Return what `publish` would add, without adding it. Raises `Refused`."""
        resolution = self.resolve(body)
        check_target(resolution.target, self.kinds, resolution.provenance)
        history = self.versions.get(tag, [])
        base = max(history, key=lambda version: version.number, default=None)
        old = self._edition(base.source, base.resolution) if base else None
        bump = compute_bump(old, self._edition(body, resolution), self.kinds)
        if bump is None:
            raise Refused(Code.NOTHING_CHANGED, f"Nothing changed in {tag}.")
        taken = [version.number for version in history]
        number = next_number(bump, base.number if base else None, taken)
        return InMemoryDraft(resolution, bump, number)

    def add(
        self, tag: str, body: Json, resolution: Resolution, number: VersionNumber
    ) -> PublishedVersion:
        """Add a version under a number, without checks."""
        published = PublishedVersion(
            tag=tag,
            number=number,
            target=json.loads(resolution.text),
            provenance=resolution.provenance,
            lineage=resolution.lineage,
            depth=resolution.depth,
        )
        version = InMemoryVersion(body, resolution, published)
        self.versions.setdefault(tag, []).append(version)
        return published

    def _edition(self, body: Json, resolution: Resolution) -> Edition:
        return Edition.of(body, resolution.ancestors, resolution.target, self.kinds)

    def resolve(self, body: Any) -> Resolution:
        """Resolve a body against the newest matching versions."""
        return resolve_body(body, self.answers(body))

    def answers(self, body: Any) -> dict[str, PublishedVersion]:
        """Return the versions that the references of a body resolve to."""
        references = [item.reference for item in body_references(body)]
        return {str(reference): self.pick(reference) for reference in references}

    def pick(self, reference: Reference) -> PublishedVersion:
        """Return the version that a reference resolves to. Raises `Refused` (VERSION_UNKNOWN)."""
        candidates: Iterable[InMemoryVersion] = self.versions.get(reference.text, ())
        chosen = reference.selector.choose(candidates)
        if chosen is None:
            raise Refused(Code.VERSION_UNKNOWN, f"No version of {reference}.")
        return chosen.published


def publish_in_memory(tags: Iterable[ShippedTag] | None = None) -> InMemoryRegistry:
    """Return every version of the tags, by default of all shipped ones, under the shipped kinds.

    Raises `Refused`.
    """
    registry = InMemoryRegistry(
        Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())
    )
    shipped = shipped_facts.every_tag() if tags is None else tags
    for wave in waves(shipped, lock.read_lock()):
        for level in sort_into_levels(wave):
            for tag in level:
                for version in tag.versions[len(registry.versions.get(tag.name, ())) :]:
                    registry.publish(tag.name, version.body)
    return registry
