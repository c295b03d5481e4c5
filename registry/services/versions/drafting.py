"""All that is computed for a body before anything is written: what `check` shows, and what
publishing writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from registry.domain import document
from registry.domain.body_references import body_references
from registry.domain.checks import check_target
from registry.domain.diff import Change, diff_targets
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.lints import lint_target
from registry.domain.reference import NEWEST, Tag as TagName
from registry.domain.resolution import Resolution, resolve_body
from registry.domain.tuning import tuning_keys
from registry.domain.version_number import Bump, VersionNumber, next_number
from registry.domain.versioning import Edition, compute_bump, root_kinds
from registry.models import Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.core import shipped_facts
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import dependencies, selection
from registry.services.versions.dependencies import Dependencies

MAX_TWINS = 5


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """The version that a body is compared with."""

    edition: Edition
    provenance: Mapping[str, str]
    number: VersionNumber


@dataclass(frozen=True)
class Draft:
    """A body resolved, checked and numbered. `bump` and `number` are None if nothing changed.

    What only a dry run shows, lints and the diff, is computed when it is asked for.
    """

    tag: TagName
    source: str
    resolution: Resolution
    library: Dependencies
    digest: str
    tuning_keys: Mapping[str, str]
    fits: frozenset[str]
    bump: Bump | None
    number: VersionNumber | None
    base: BaseVersion | None
    current: CurrentKinds

    @cached_property
    def lints(self) -> tuple[Fault, ...]:
        """What draws a warning. One query, for other tags with the same target."""
        return (*self.own_lints, *_twins(self.digest, self.tag))

    @cached_property
    def own_lints(self) -> tuple[Fault, ...]:
        """What draws a warning by itself, whatever other tags are like. No query."""
        if self.resolution.is_mixin:
            return ()
        return tuple(lint_target(self.resolution.target, self.current.kinds, shipped_facts.cpus()))

    @cached_property
    def diff(self) -> tuple[Change, ...]:
        """What is not as in the version compared with, leaf by leaf."""
        if self.base is None:
            return ()
        old, new, known = self.base.edition.target, self.resolution.target, self.current.kinds
        return diff_targets(
            old,
            new,
            known,
            old_provenance=self.base.provenance,
            new_provenance=self.resolution.provenance,
            root_kinds=root_kinds(old, new, known),
        )


@dataclass(frozen=True, slots=True)
class TagHistory:
    """What a tag has been: the numbers taken, and the version that a body is compared with."""

    taken: Sequence[VersionNumber] = ()
    base: BaseVersion | None = None


def create_draft(source: str, tag: TagName, history: Sequence[Version]) -> Draft:
    """Compute everything about a body for a tag, given the versions that it has.

    Raises `Refused` with every fault of the first stage that finds any (design section 3).
    """
    body = document.parse_json(source)
    found = dependencies.load_dependencies(body_references(body), tag)
    past = TagHistory([version.number for version in history], _base(history))
    return compute_draft(source, body, tag, found=found, past=past, current=kinds.current_kinds())


def compute_draft(
    source: str,
    body: Json,
    tag: TagName,
    *,
    found: Dependencies,
    past: TagHistory,
    current: CurrentKinds,
) -> Draft:
    """Compute a draft from what has been loaded. No query. Raises `Refused` as `draft`."""
    resolved = resolve_body(body, found.versions)
    fits = check_target(resolved.target, current.kinds)
    edition = Edition(body, resolved.ancestors, resolved.target)
    base = past.base
    move = compute_bump(base.edition if base else None, edition, current.kinds)
    return Draft(
        tag=tag,
        source=source,
        resolution=resolved,
        library=found,
        digest=document.digest(resolved.text),
        tuning_keys=tuning_keys(resolved.target, current.kinds),
        fits=fits,
        bump=move,
        number=next_number(move, base.number if base else None, past.taken) if move else None,
        base=base,
        current=current,
    )


_in_order: PreparedQuery[Version] = PreparedQuery(
    lambda: Version.objects.filter(tag__text__among=PLACEHOLDER).candidates().order_by("pk")
)


def versions_of(tag: TagName) -> list[Version]:
    """All versions of a tag, light, in the order of their publication."""
    return list(_in_order([str(tag)]))


def _base(history: Sequence[Version]) -> BaseVersion | None:
    """The newest unyanked version, or the newest where all are yanked."""
    if not history:
        return None
    light = NEWEST.choose(history) or selection.newest_first(history)[0]
    return load_base(Version.objects.select_related("tag").get(pk=light.pk))


def load_base(version: Version) -> BaseVersion:
    """A whole version, to be compared with."""
    edition = Edition(
        json.loads(version.source),
        tuple(json.loads(version.lineage)),
        json.loads(version.target),
    )
    origins = json.loads(version.provenance)
    provenance = {pointer: origin or version.exact for pointer, origin in origins.items()}
    return BaseVersion(edition, provenance, version.number)


def _twins(digest: str, tag: TagName) -> list[Fault]:
    """A lint for other tags, outside the tag's own variants, with the very same target."""
    own = Q(tag__text=tag.name) | Q(tag__text__startswith=f"{tag.name}:")
    others = Version.objects.filter(digest=digest).exclude(own).order_by("tag__text")
    return twin_lints(list(others.values_list("tag__text", flat=True).distinct()[: MAX_TWINS + 1]))


def twin_lints(twins: Sequence[str]) -> list[Fault]:
    """A lint for tags that have the very same target, unless they are many."""
    if not 0 < len(twins) <= MAX_TWINS:
        return []  # a target that many share says what a family is, not that one is a copy
    names = ", ".join(twins)
    message = f"the target is the very same as that of {names}"
    return [Fault("", "TWIN", message, "a target of its own, or an alias", names, tuple(twins))]
