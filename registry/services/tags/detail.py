"""Details of tags and versions, as pages and the API show them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property

from registry.domain.descriptions.descriptions import describe
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.kinds.hardware import hardware_of
from registry.domain.names.plain_names import plain_name
from registry.domain.proofs import CompilerProof, LeafSteps, compiler_proofs, leaf_steps
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.version_number import FIRST_NUMBER, Bump
from registry.models import Entry, Name, Status, Tag, Version
from registry.models.versions import DOCUMENT_COLUMNS, NUMBERS, VersionQuerySet, below
from registry.services.core import shipped_facts
from registry.services.core.paging import Page, paginate
from registry.services.kinds import kinds
from registry.services.tags.usage import TagUsage, tag_usage
from registry.services.tags.variants import machine_of
from registry.services.versions import linting, resolving, selection, twins
from registry.services.versions.resolving import ACTIVE, DEPRECATED, YANKED, ResolvedReference
from registry.services.versions.selection import SelectedVersion
from registry.services.versions.twins import TargetOfTag
from ttag_rules.version_number import VersionNumber

MAX_VERSIONS = 40  # in an overview; a paginated list has all of them
MAX_ALIASES = 5  # in an overview
UNLISTED = tuple(column for column in DOCUMENT_COLUMNS if column not in ("message", "sources"))


class TagNames:
    """A tag with its names."""

    __slots__ = ()
    tag: Tag
    aliases: tuple[str, ...]

    @property
    def name(self) -> TagName:
        """The tag's name in its parts."""
        return TagName.parse(self.tag.text)

    @property
    def title(self) -> str:
        """The name that people read first: the plainer alias, if there is one."""
        plain = plain_name(self.tag.text)
        return plain if plain in self.aliases else self.tag.text


@dataclass(frozen=True)
class TagProfile(TagNames):
    """A tag with all its versions, highest number first."""

    tag: Tag
    versions: tuple[Version, ...]
    aliases: tuple[str, ...]
    usage: TagUsage

    @cached_property
    def compiles_with(self) -> list[CompilerProof]:
        """Proofs of all compilers for the newest version. One query, besides the target."""
        return proofs_of(self._target) if self.newest else []

    @property
    def proofs(self) -> list[LeafSteps]:
        """The same proofs by leaf, as release 0.1 listed them."""
        return leaf_steps(self.compiles_with)

    @cached_property
    def newest(self) -> Version | None:
        """Return the newest version that is not yanked."""
        return next((version for version in self.versions if not version.yanked), None)

    @cached_property
    def description(self) -> str:
        """The newest version in plain English, or an empty text.

        One query, besides the target; two for a variant.
        """
        if self.newest is None:
            return ""
        return describe(
            self._target,
            is_family=self.tag.is_family,
            variants=other_variants(self.tag),
            machine=hardware_of(machine_of(self.tag)),
        )

    @cached_property
    def _target(self) -> Json:
        """The target of the newest version. One query."""
        target: Json = json.loads(self.newest.target) if self.newest else None
        return target

    @property
    def last_published(self) -> Version:
        """Return the most recently published version, which `If-Match` must name."""
        return max(self.versions, key=lambda version: version.pk)

    @property
    def status(self) -> str:
        """Return `active`, `deprecated`, or `yanked` if every version is yanked."""
        if self.newest is None:
            return YANKED
        return DEPRECATED if self.tag.last_deprecated else ACTIVE


@dataclass(frozen=True, slots=True)
class VersionHistory:
    """A tag with a page of its versions, highest number first."""

    tag: Tag
    last_published: VersionNumber  # which `If-Match` must name
    page: Page[Version]


@dataclass(frozen=True, slots=True)
class TagOverview(TagNames):
    """A tag for its pages, with a bounded number of versions and aliases.

    `versions` are the first of `version_count`, highest number first; `newest` is the newest that
    is not yanked.
    """

    tag: Tag
    versions: tuple[Version, ...]
    version_count: int
    newest: Version | None
    aliases: tuple[str, ...]
    has_more_aliases: bool


@dataclass(frozen=True, slots=True)
class VersionDetail:
    """A version for its pages: resolved, with its source and its tag's overview."""

    answer: ResolvedReference
    version: Version  # with source, provenance, message, sources and publisher
    overview: TagOverview


def version_detail(reference: Reference) -> VersionDetail:
    """Return the version that a reference resolves to, in a constant number of queries.

    Raises `Refused` as resolving does.
    """
    answer = resolving.resolve(reference)
    version = Version.objects.select_related("tag", "publisher", "author").get(pk=answer.version.pk)
    return VersionDetail(answer, version, _overview(version.tag))


def proofs_of(target: Json) -> list[CompilerProof]:
    """Return how far compilers get with a target, by the current kinds. One query."""
    return compiler_proofs(target, kinds.current_kinds().kinds, shipped_facts.compiler_facts())


def lints_of(version_detail: VersionDetail) -> list[Fault]:
    """Return the lints of a version, also of identical targets. At most two queries."""
    answer, version = version_detail.answer, version_detail.version
    stored = linting.read_lints(answer.version.lint_text)
    if version.is_mixin:
        return stored
    target = TargetOfTag(version.digest, version_detail.overview.name, json.loads(version.lineage))
    return [*stored, *twins.find_twins([target])[0]]


def tag_overview(text: str) -> TagOverview:
    """Return a tag by its name or an alias, with its newest versions.

    Three queries, and two more for a tag with more than 40 versions.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    return _overview(_find_name(text).tag)


def _overview(tag: Tag) -> TagOverview:
    listed = _listed_versions(tag)
    versions = tuple(listed[: MAX_VERSIONS + 1])
    has_more = len(versions) > MAX_VERSIONS
    aliases = Name.objects.filter(tag=tag, is_alias=True).values_list("text", flat=True)
    names = tuple(aliases[: MAX_ALIASES + 1])
    return TagOverview(
        tag=tag,
        versions=versions[:MAX_VERSIONS],
        version_count=Version.objects.filter(tag=tag).count() if has_more else len(versions),
        newest=next((version for version in versions if not version.yanked), None)
        or (listed.not_yanked().first() if has_more else None),
        aliases=names[:MAX_ALIASES],
        has_more_aliases=len(names) > MAX_ALIASES,
    )


def other_variants(tag: Tag) -> tuple[str, ...]:
    """Return the other variants of a tag's name that are in use. One query."""
    start = f"{TagName.parse(tag.text).name}:"
    entries = Entry.objects.filter(text__gte=start, text__lt=f"{start[:-1]};", status=Status.ACTIVE)
    texts = entries.exclude(tag=tag).order_by("text").values_list("text", flat=True)
    return tuple(text.removeprefix(start) for text in texts)


def _listed_versions(tag: Tag) -> VersionQuerySet:
    """Select a tag's versions for lists, highest number first."""
    versions = Version.objects.filter(tag=tag).with_withdrawal().with_lint_count()
    versions = versions.defer(*UNLISTED)
    return versions.select_related("publisher", "author", "tag").order_by(
        "-major", "-minor", "-patch"
    )


def target_texts(references: Collection[Reference]) -> dict[str, str]:
    """Return the texts of targets by reference, without those that do not resolve. Two queries."""
    choices = selection.select_all(references)
    pks = {
        text: choice.version.pk
        for text, choice in choices.items()
        if isinstance(choice, SelectedVersion)
    }
    targets = dict(Version.objects.filter(pk__in=pks.values()).values_list("pk", "target"))
    return {text: targets[pk] for text, pk in pks.items()}


def bump_of(number: VersionNumber) -> Bump:
    """Return the bump that a number results from: its last part that is not zero."""
    if number == FIRST_NUMBER:
        return Bump.FIRST
    if number.patch:
        return Bump.PATCH
    return Bump.MINOR if number.minor else Bump.MAJOR


def tag_profile(text: str) -> TagProfile:
    """Return a tag by its name or an alias, with all versions and its usage. Five queries.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    name = _find_name(text)
    tag = Tag.objects.with_deprecation().select_related("namespace").get(pk=name.tag_id)
    aliases = Name.objects.filter(tag=tag, is_alias=True).values_list("text", flat=True)
    versions = tuple(_listed_versions(tag))
    return TagProfile(tag, versions, tuple(aliases), tag_usage(tag))


def version_history(
    text: str, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> VersionHistory:
    """Return a tag by its name or an alias, with a page of its versions. Three queries.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    tag = _find_name(text).tag
    last = Version.objects.filter(tag=tag).only(*NUMBERS).latest("pk")
    versions = _listed_versions(tag)
    if after:
        versions = versions.filter(below(VersionNumber(*after)))
    page = paginate(versions, key=lambda version: [*version.number.parts], limit=limit)
    return VersionHistory(tag, last.number, page)


def _find_name(text: str) -> Name:
    """Return a name with its tag. Raises `Refused` (TAG_UNKNOWN) with similar tags."""
    name = Name.objects.filter(text=text).select_related("tag").first()
    if name is None:
        raise selection.no_such_tag(text)
    return name
