"""Plans the versions that follow from other bodies: of their tags, and of what inherits from them.

The same two steps as in a registry: loading publishes the bodies, then a rebase renews the heirs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from catalogue_tools.in_memory import InMemoryRegistry
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.resolution.body_references import body_references
from registry.domain.version_number import Bump
from registry.services.core.shipped_facts import referenced_names
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True, slots=True)
class NextVersion:
    """A version that would be published. `old` is the newest one until then, None of a new tag."""

    tag: str
    old: VersionNumber | None
    number: VersionNumber
    bump: Bump


@dataclass
class VersionImpact:
    """The versions in order of publication, the tags that stay behind, and what is refused."""

    published: list[NextVersion] = field(default_factory=list)
    followed: list[NextVersion] = field(default_factory=list)
    staying: list[str] = field(default_factory=list)  # heirs whose reference excludes the new major
    refusals: list[str] = field(default_factory=list)  # sentences


def publish_bodies(registry: InMemoryRegistry, bodies: Mapping[str, Json]) -> VersionImpact:
    """Publish new bodies in the registry and rebase their heirs; return what came of it."""
    impact = VersionImpact()
    newest = {tag: versions[-1].source for tag, versions in registry.versions.items()}
    uses = {tag: {*referenced_names(body)} for tag, body in {**newest, **bodies}.items()}
    try:
        order = [tag for tag in TopologicalSorter(uses).static_order() if tag in uses]
    except CycleError as error:
        impact.refusals.append(f"Tags would refer to each other: {', '.join(error.args[1])}.")
        return impact
    for tag in order:
        if tag in bodies:
            impact.published += _publish(registry, tag, bodies[tag], impact.refusals)
    moved = {version.tag for version in impact.published}
    for tag in order:
        if tag in registry.versions and not moved.isdisjoint(uses[tag]):
            body = registry.versions[tag][-1].source
            followed = _publish(registry, tag, body, impact.refusals)
            impact.followed += followed
            moved |= {version.tag for version in followed}
    versions = (*impact.published, *impact.followed)
    majors = {version.tag for version in versions if version.bump is Bump.MAJOR}
    impact.staying = [tag for tag in order if _stays(registry, tag, majors & uses[tag])]
    return impact


def _publish(
    registry: InMemoryRegistry, tag: str, body: Json, refusals: list[str]
) -> list[NextVersion]:
    old = _newest_number(registry, tag)
    try:
        draft = registry.draft(tag, body)
    except Refused as refusal:
        if refusal.code != Code.NOTHING_CHANGED:
            refusals.append(f"{tag}: {refusal.detail}")
        return []
    registry.add(tag, body, draft.resolution, draft.number)
    return [NextVersion(tag, old, draft.number, draft.bump)]


def _stays(registry: InMemoryRegistry, tag: str, majors: Collection[str]) -> bool:
    """Return whether the newest body of a tag refers to an older major version of its parents."""
    if tag not in registry.versions or not majors:
        return False
    requests = body_references(registry.versions[tag][-1].source)
    references = [request.reference for request in requests if request.reference.text in majors]
    return any(
        registry.pick(reference).number != _newest_number(registry, reference.text)
        for reference in references
    )


def _newest_number(registry: InMemoryRegistry, tag: str) -> VersionNumber | None:
    return max((version.number for version in registry.versions.get(tag, ())), default=None)
