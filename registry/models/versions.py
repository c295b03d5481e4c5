"""Immutable versions of tags."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Self

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Coalesce
from django.db.models.lookups import Exact

from registry.domain.keys.build_key import Build
from registry.models.accounts import User
from registry.models.aggregates import ConcatenatedText, Joined
from registry.models.kinds import KindRevision
from registry.models.lineage import Ancestry
from registry.models.names import Tag, last_deprecation
from registry.models.withdrawals import Withdrawal
from ttag_rules.selectors import NEWEST
from ttag_rules.version_number import VersionNumber

NUMBERS = ("major", "minor", "patch")
SELECTION_COLUMNS = (*NUMBERS, "digest", "size", "tag_id")  # what version selection needs
DOCUMENT_COLUMNS = (  # large columns that lists do not show
    "source",
    "target",
    "provenance",
    "tuning_keys",
    "lineage",
    "dependencies",
    "message",
    "sources",
)


def documents_of(path: str) -> Iterator[str]:
    """Yield the large columns of the version that a path of lookups leads to, to defer them."""
    return (f"{path}__{column}" for column in DOCUMENT_COLUMNS)


def below(number: VersionNumber, path: str = "") -> Q:
    """Return the condition that the version at the end of a path has a lower number."""
    major, minor, patch = f"{path}major", f"{path}minor", f"{path}patch"
    return (
        Q(**{f"{major}__lt": number.major})
        | Q(**{major: number.major, f"{minor}__lt": number.minor})
        | Q(**{major: number.major, minor: number.minor, f"{patch}__lt": number.patch})
    )


class VersionQuerySet(models.QuerySet["Version"]):
    """Queries for versions of tags."""

    def with_withdrawal(self) -> Self:
        """Annotate the state and reason of the most recent withdrawal."""
        return self.annotate(
            last_yanked=_last_withdrawal("yanked"), last_reason=_last_withdrawal("reason")
        )

    def yanked(self) -> Self:
        return self.annotate(last_yanked=_last_withdrawal("yanked")).filter(last_yanked=True)

    def not_yanked(self) -> Self:
        is_yanked = Coalesce(_last_withdrawal("yanked"), Value(False))
        return self.filter(Exact(is_yanked, Value(False))).annotate(last_yanked=Value(False))

    def as_resolved(self) -> Self:
        """Load what resolutions show, with lints, state of the tag and yanked ancestors."""
        return (
            self.with_family()
            .defer("source", "provenance", "message", "sources")
            .annotate(
                tag_deprecated=last_deprecation("tag", "deprecated"),
                yanked_ancestors=_yanked_ancestors(),
                lint_text=F("lint_report__lints"),
                event=_last_leaf(),
            )
        )

    def with_leaf(self) -> Self:
        return self.annotate(event=_last_leaf())

    def with_reasons(self) -> Self:
        """Annotate why a version was yanked and its tag deprecated, and the tag's successor."""
        return self.annotate(
            last_reason=_last_withdrawal("reason"),
            tag_deprecation=last_deprecation("tag", "reason"),
            tag_successor=last_deprecation("tag", "successor__text"),
        )

    def with_lint_count(self) -> Self:
        return self.annotate(lint_count=Coalesce(F("lint_report__count"), 0))

    def with_family(self) -> Self:
        return self.annotate(tag_is_family=F("tag__is_family"))

    def candidates(self) -> Self:
        """Load only the columns that selection needs; annotate the yank state."""
        return self.only(*SELECTION_COLUMNS).annotate(last_yanked=_last_withdrawal("yanked"))

    def newest_of(self, tags: Collection[int], *columns: str) -> dict[int, Version]:
        """Return the newest unyanked version of each tag that has one, by the tag's primary key.

        Loads the selection columns and `columns`. One query.
        """
        versions: dict[int, list[Version]] = defaultdict(list)
        rows = self.filter(tag__in=tags).candidates().select_related("tag")
        for version in rows.only(*SELECTION_COLUMNS, "tag__text", *columns):
            versions[version.tag_id].append(version)
        newest = {tag: NEWEST.choose(candidates) for tag, candidates in versions.items()}
        return {tag: version for tag, version in newest.items() if version is not None}


def _last_leaf() -> Subquery:
    """Return the number of the event whose leaf states the digest."""
    leaves = VersionLeaf.objects.filter(version=OuterRef("pk"))
    return Subquery(leaves.order_by("-event").values("event")[:1])


def _last_withdrawal(column: str, version: str = "pk") -> Subquery:
    """Return a subquery for a column of a version's most recent withdrawal.

    `version` is the outer query's field with the version's key.
    """
    last = Withdrawal.objects.filter(version=OuterRef(version)).order_by("-sequence")
    return Subquery(last.values(column)[:1])


def _yanked_ancestors() -> Subquery:
    """Return a subquery for the yanked ancestors' exact references, separated by spaces."""
    parts = (Cast(f"ancestor__{part}", models.CharField()) for part in NUMBERS)
    exact = Joined(F("ancestor__tag__text"), Joined(*parts, separator="."), separator="@")
    ancestors = (
        Ancestry.objects.filter(_last_withdrawal("yanked", "ancestor"), version=OuterRef("pk"))
        .order_by()
        .values("version")
        .annotate(listed=ConcatenatedText(exact))
    )
    return Subquery(ancestors.values("listed"))


class Version(models.Model):
    """An immutable publication of a tag. Triggers prevent changes.

    JSON is stored as text: a JSON column would rewrite numbers.
    """

    tag = models.ForeignKey(Tag, models.PROTECT, related_name="versions")
    major = models.PositiveIntegerField(db_comment="moves when tuning records stop matching")
    minor = models.PositiveIntegerField(db_comment="moves when a rebuild is due")
    patch = models.PositiveIntegerField(db_comment="moves when there is nothing to do")
    kind = models.CharField(max_length=64, db_comment="of the root node; empty for a mixin")
    # Decision 002: JSON as text: a JSON column would rewrite the bytes that digests cover.
    source = models.TextField(db_comment="the body as its author wrote it, JSON")
    target = models.TextField(db_comment="the resolved body, RFC 8785 canonical JSON")
    size = models.PositiveIntegerField(db_comment="bytes of target")
    digest = models.CharField(max_length=71, db_index=True, db_comment="sha256:<hex> of target")
    provenance = models.TextField(db_comment="JSON: pointer to exact reference, null for own")
    tuning_keys = models.TextField(db_comment="JSON: leaf's pointer to its tuning key")
    build_digest = models.CharField(
        max_length=68, blank=True, db_comment="bk1:<hex> of what compilers read; empty for a mixin"
    )
    is_host_dependent = models.BooleanField(
        db_comment="the compiler completes a leaf from the building machine: no build key"
    )
    lineage = models.TextField(db_comment="JSON: exact references, breadth first")
    dependencies = models.TextField(db_comment="JSON: direct uses, as resolutions show them")
    depth = models.PositiveSmallIntegerField(db_comment="longest chain of versions below it")
    message = models.TextField(blank=True, db_comment="why it was published")
    sources = models.TextField(default="[]", db_comment="JSON: https URLs that vouch for it")
    published = models.DateTimeField(db_comment="UTC")
    publisher = models.ForeignKey(User, models.PROTECT, related_name="+")
    author = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        related_name="+",
        db_comment="who wrote the body; null: the publisher",
    )

    objects = VersionQuerySet.as_manager()

    # Annotated by querysets.
    last_yanked: bool | None
    last_reason: str | None
    tag_deprecated: bool | None
    tag_deprecation: str | None
    tag_successor: str | None
    yanked_ancestors: str | None
    tag_is_family: bool
    lint_text: str | None
    event: int | None
    lint_count: int
    # Set by resolutions of a family: families of the same name that build for an accelerator.
    family_accelerators: tuple[str, ...] = ()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tag", "major", "minor", "patch"), name="version_number_once"
            ),
            models.CheckConstraint(condition=Q(major__gte=1), name="version_counts_from_one"),
            models.CheckConstraint(
                condition=Q(digest__regex=r"^sha256:[0-9a-f]{64}$"), name="version_digest_form"
            ),
            models.CheckConstraint(
                condition=~Q(kind="")
                | Q(tuning_keys="{}", build_digest="", is_host_dependent=False),
                name="version_mixin_has_no_keys",
            ),
            models.CheckConstraint(
                condition=Q(kind="") | Q(build_digest__regex=r"^bk1:[0-9a-f]{64}$"),
                name="version_build_digest_form",
            ),
            models.CheckConstraint(condition=Q(depth__lte=32), name="version_depth_bounded"),
        )

    def __str__(self) -> str:
        return self.exact

    @property
    def number(self) -> VersionNumber:
        return VersionNumber(self.major, self.minor, self.patch)

    @property
    def date(self) -> str:
        """The time of publication in RFC 3339 form, to the second."""
        return f"{self.published:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def yanked(self) -> bool:
        """True if the version is yanked. Requires `with_withdrawal` or `candidates`."""
        return bool(self.last_yanked)

    @property
    def yank_reason(self) -> str | None:
        """The reason of the yank; None if not yanked. Requires `with_withdrawal`."""
        return self.last_reason if self.yanked else None

    @property
    def build(self) -> Build:
        """The build, as computed at publication."""
        return Build(self.build_digest, self.is_host_dependent)

    @property
    def exact(self) -> str:
        """The reference that always names this version. Requires the tag to be loaded."""
        return f"{self.tag.text}@{self.number}"

    @property
    def source_urls(self) -> list[str]:
        return list(json.loads(self.sources))

    @property
    def origins(self) -> dict[str, str]:
        """The exact reference of the version that set each value, by pointer."""
        origins = json.loads(self.provenance)
        return {pointer: origin or self.exact for pointer, origin in origins.items()}

    @property
    def body_author_id(self) -> int:
        return self.author_id or self.publisher_id

    @property
    def is_mixin(self) -> bool:
        """True for a patch that is not a target of its own."""
        return not self.kind


class VersionKind(models.Model):
    """The revision of a kind that a version was checked against."""

    version = models.ForeignKey(Version, models.PROTECT, related_name="checked_against")
    revision = models.ForeignKey(KindRevision, models.PROTECT, related_name="versions")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("version", "revision"), name="version_kind_once"),
        )

    def __str__(self) -> str:
        return f"{self.version_id}: {self.revision_id}"


class VersionLeaf(models.Model):
    """The event whose leaf states the digest of a version; a redaction can add a later one."""

    event = models.PositiveBigIntegerField(primary_key=True, db_comment="its number")
    version = models.ForeignKey(
        Version, models.PROTECT, related_name="leaves", db_index=False, db_comment="it is about"
    )

    class Meta:
        indexes = (models.Index(fields=("version", "event"), name="leaf_by_version"),)

    def __str__(self) -> str:
        return f"{self.event}: {self.version_id}"
