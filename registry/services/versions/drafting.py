"""Computes drafts: everything that checking a body shows and publishing it stores."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property

from registry.domain import document
from registry.domain.checks.checks import check_target
from registry.domain.diff import Change, diff_targets
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.lints.rules import lint_version
from registry.domain.reference import Tag as TagName
from registry.domain.resolution.body_references import BodyReference, body_references
from registry.domain.resolution.resolution import Resolution, resolve_body
from registry.domain.version_number import Bump, next_number
from registry.domain.versioning import Edition, compute_bump
from registry.models import Tag, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.versions import SELECTION_COLUMNS
from registry.services.core import shipped_facts
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import dependencies, look_alikes, selection, twins
from registry.services.versions.dependencies import Dependencies
from registry.services.versions.twins import TargetOfTag
from ttag_rules.selectors import NEWEST
from ttag_rules.version_number import VersionNumber

HISTORY_COLUMNS = (*SELECTION_COLUMNS, "tag__text", "tag__is_family")


@dataclass(frozen=True, slots=True)
class ParsedBody:
    """A body as its author wrote it, its value and its references."""

    source: str
    value: Json
    references: tuple[BodyReference, ...]

    @classmethod
    def parse(cls, source: str) -> ParsedBody:
        """Parse a body. Raises `Refused`, also for invalid references."""
        value = document.parse_json(source)
        return cls(source, value, body_references(value))


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """The published version that a draft is compared with."""

    edition: Edition
    provenance: Mapping[str, str]
    number: VersionNumber


@dataclass(frozen=True)
class Draft:
    """A body resolved, checked and numbered. `bump` and `number` are None if nothing changed.

    Lints and the diff are computed on first access.
    """

    tag: TagName
    source: str
    resolution: Resolution
    dependencies: Dependencies
    digest: str
    edition: Edition
    fits: frozenset[str]
    bump: Bump | None
    number: VersionNumber | None
    base: BaseVersion | None
    current: CurrentKinds
    is_family: bool = False

    @property
    def base_exact(self) -> str:
        """Return the exact reference of the base; empty for a first version."""
        return f"{self.tag}@{self.base.number}" if self.base else ""

    @property
    def tuning_keys(self) -> Mapping[str, str]:
        """Return the tuning key of each leaf that has one, by pointer."""
        return self.edition.tuning_keys

    @property
    def build_key(self) -> str | None:
        """Return the build key; None for a mixin or a host-dependent target."""
        return self.edition.build.key

    @cached_property
    def lints(self) -> tuple[Fault, ...]:
        """Return all lints. Takes at most three queries, for other tags."""
        names = look_alikes.find_look_alikes([self.tag] if self.base is None else [])
        twin_lints = twins.find_twins([self.target_of_tag])[0]
        return (*self.own_lints, *twin_lints, *names.get(str(self.tag), ()))

    @property
    def target_of_tag(self) -> TargetOfTag:
        """Return what identical targets of other tags are found by."""
        return TargetOfTag(self.digest, self.tag, self.resolution.ancestors)

    @cached_property
    def own_lints(self) -> tuple[Fault, ...]:
        """Return the lints that do not depend on other tags. No query."""
        return lint_version(
            self.resolution.target,
            self.current.kinds,
            shipped_facts.lint_facts(),
            is_family=self.is_family,
            provenance=self.resolution.provenance,
            uses=[use.as_json for use in self.resolution.dependencies],
            parents={
                version.exact: version.target for version in self.dependencies.versions.values()
            },
            is_checked=True,
        )

    @cached_property
    def diff(self) -> tuple[Change, ...]:
        """Return the changes since the base, leaf by leaf."""
        if self.base is None:
            return ()
        old, new = self.base.edition.target, self.resolution.target
        return diff_targets(
            old,
            new,
            self.current.kinds,
            old_provenance=self.base.provenance,
            new_provenance=self.resolution.provenance,
        )


@dataclass(frozen=True, slots=True)
class TagHistory:
    """The version numbers that a tag has used, and the base for its next draft."""

    taken: Sequence[VersionNumber] = ()
    base: BaseVersion | None = None
    is_family: bool = False

    def followed_by(self, draft: Draft) -> TagHistory:
        """Return the history after a draft has been published."""
        if draft.number is None:
            return self
        exact = f"{draft.tag}@{draft.number}"
        origins = draft.resolution.provenance.items()
        provenance = {pointer: origin or exact for pointer, origin in origins}
        base = BaseVersion(draft.edition, provenance, draft.number)
        return TagHistory([*self.taken, draft.number], base, draft.is_family)


def create_draft(
    source: str, tag: TagName, history: Sequence[Version], *, is_family: bool | None = None
) -> Draft:
    """Return the draft of a body for a tag, given the tag's versions.

    `is_family` is whether the tag will be a family; None for what it is now.

    Raises `Refused` with every fault of the first stage that finds any.
    """
    body = ParsedBody.parse(source)
    loaded = dependencies.load_dependencies(body.references, tag)
    if is_family is None:
        is_family = is_family_now(history)
    base = _base(tag, history) if history else None
    tag_history = TagHistory([version.number for version in history], base, is_family)
    return compute_draft(
        body, tag, loaded=loaded, history=tag_history, current=kinds.current_kinds()
    )


def resolve_source(source: str) -> dict[str, Json]:
    """Return the target of a body that no tag is stated for. Raises `Refused` as `create_draft`."""
    body = ParsedBody.parse(source)
    loaded = dependencies.load_dependencies(body.references)
    resolved = resolve_body(body.value, loaded.versions)
    check_target(resolved.target, kinds.current_kinds().kinds, resolved.provenance)
    return resolved.target


def compute_draft(
    body: ParsedBody,
    tag: TagName,
    *,
    loaded: Dependencies,
    history: TagHistory,
    current: CurrentKinds,
) -> Draft:
    """Return a draft from loaded data, without queries. Raises `Refused` as `create_draft`."""
    resolved = resolve_body(body.value, loaded.versions)
    fits = check_target(resolved.target, current.kinds, resolved.provenance)
    edition = Edition.of(body.value, resolved.ancestors, resolved.target, current.kinds)
    base = history.base
    bump = compute_bump(base.edition if base else None, edition, current.kinds)
    return Draft(
        tag=tag,
        source=body.source,
        resolution=resolved,
        dependencies=loaded,
        digest=document.digest(resolved.text),
        edition=edition,
        fits=fits,
        bump=bump,
        number=next_number(bump, base.number if base else None, history.taken) if bump else None,
        base=base,
        current=current,
        is_family=history.is_family,
    )


_in_order: PreparedQuery[Version] = PreparedQuery(
    lambda: (
        Version.objects.filter(tag__text__among=PLACEHOLDER)
        .candidates()
        .with_family()
        .order_by("pk")
    )
)


def versions_of(tag: TagName) -> list[Version]:
    """Return all versions of a tag, without documents, in order of publication."""
    return list(_in_order([str(tag)]))


def is_family_now(history: Sequence[Version]) -> bool:
    """Return whether a tag is a family, given its versions from `versions_of`."""
    return bool(history and history[0].tag_is_family)


_whole: PreparedQuery[Version] = PreparedQuery(
    lambda: Version.objects.filter(pk__among=PLACEHOLDER).order_by()
)


def _base(tag: TagName, history: Sequence[Version]) -> BaseVersion:
    (version,) = _whole([base_version(history).pk])
    version.tag = Tag.from_row(version.tag_id, str(tag))
    return load_base(version)


def base_version(history: Sequence[Version]) -> Version:
    """Return the newest version that is not yanked; the newest if all are."""
    return NEWEST.choose(history) or selection.newest_first(history)[0]


def load_histories(tags: Collection[TagName]) -> dict[str, TagHistory]:
    """Return the histories of those tags that have versions. Two queries."""
    histories: dict[str, list[Version]] = defaultdict(list)
    versions = Version.objects.filter(tag__text__in=map(str, tags)).select_related("tag")
    for version in versions.candidates().only(*HISTORY_COLUMNS).order_by("pk"):
        histories[version.tag.text].append(version)
    newest = [base_version(history).pk for history in histories.values()]
    base_rows = Version.objects.filter(pk__in=newest).select_related("tag")
    bases = {row.tag.text: load_base(row) for row in base_rows}
    return {
        tag: TagHistory(
            [version.number for version in history], bases[tag], history[0].tag.is_family
        )
        for tag, history in histories.items()
    }


def load_base(version: Version) -> BaseVersion:
    """Return a version with its edition and provenance, as the base of a draft."""
    edition = Edition(
        json.loads(version.source),
        tuple(json.loads(version.lineage)),
        json.loads(version.target),
        json.loads(version.tuning_keys),
        version.build,
    )
    return BaseVersion(edition, version.origins, version.number)
