"""Tags, aliases and deprecations. A name is never reused for another tag."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import OuterRef, Q, Subquery

from registry.models.accounts import Namespace, User
from registry.models.fields import BytewiseField
from ttag_rules.selectors import Selector


class TagQuerySet(models.QuerySet["Tag"]):
    """Queries for tags and their deprecation."""

    def with_deprecation(self) -> Self:
        """Annotate the most recent deprecation: its state, reason and successor."""
        return self.annotate(
            last_deprecated=last_deprecation("pk", "deprecated"),
            last_deprecation=last_deprecation("pk", "reason"),
            last_successor=last_deprecation("pk", "successor__text"),
        )


def last_deprecation(tag: str, column: str) -> Subquery:
    """Return a subquery for a column of a tag's most recent deprecation.

    `tag` is the outer query's field with the tag's key.
    """
    last = Deprecation.objects.filter(tag=OuterRef(tag)).order_by("-sequence")
    return Subquery(last.values(column)[:1])


class Tag(models.Model):
    """A named target, which has versions."""

    text = BytewiseField(unique=True, db_comment="namespace/name[:variant]")
    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="tags")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    is_family = models.BooleanField(
        default=False, db_comment="describes what several machines share; nobody builds for it"
    )

    objects = TagQuerySet.as_manager()

    # Annotated by querysets.
    last_deprecated: bool | None
    last_deprecation: str | None
    last_successor: str | None

    class Meta:
        ordering = ("text",)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def from_row(cls, pk: int, text: str) -> Self:
        """Create a tag from a row of a joined query; other columns are loaded on first use."""
        return cls.from_db(None, ("id", "text"), (pk, text))


class Deprecation(models.Model):
    """A deprecation of a tag, or its removal; the row with the highest sequence is in force."""

    tag = models.ForeignKey(Tag, models.PROTECT, related_name="deprecations")
    sequence = models.PositiveSmallIntegerField(db_comment="1, 2, 3 ... within the tag")
    deprecated = models.BooleanField(db_comment="false: taken back")
    reason = models.TextField(db_comment="shown to everybody who resolves the tag")
    successor = models.ForeignKey(Tag, models.PROTECT, null=True, related_name="+")
    actor = models.ForeignKey(User, models.PROTECT, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tag", "sequence"), name="deprecation_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="deprecation_says_why"),
        )

    def __str__(self) -> str:
        return f"{'deprecate' if self.deprecated else 'undeprecate'} {self.tag_id}: {self.reason}"


class Name(models.Model):
    """A name of a tag: its own, or an alias, which may pin a version."""

    text = BytewiseField(unique=True, db_comment="the part of a reference before the @")
    tag = models.ForeignKey(Tag, models.PROTECT, related_name="names")
    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="names")
    folded = BytewiseField(db_comment="letters and digits only, for search")
    is_alias = models.BooleanField(db_comment="not the tag's own spelling")
    major = models.PositiveIntegerField(null=True, db_comment="an alias's selector, if any")
    minor = models.PositiveIntegerField(null=True, db_comment="an alias's selector, if any")
    patch = models.PositiveIntegerField(null=True, db_comment="an alias's selector, if any")
    digest = models.CharField(max_length=71, default="", db_comment="an alias's selector, or empty")

    class Meta:
        ordering = ("text",)
        constraints = (
            models.UniqueConstraint(
                fields=("tag",), condition=Q(is_alias=False), name="name_of_tag_once"
            ),
            models.CheckConstraint(
                condition=Q(is_alias=True) | Q(major=None, digest=""), name="name_of_tag_floats"
            ),
            models.CheckConstraint(
                condition=(Q(minor=None) | Q(major__isnull=False))
                & (Q(patch=None) | Q(minor__isnull=False))
                & (Q(digest="") | Q(major=None)),
                name="name_selector_whole",
            ),
        )

    def __str__(self) -> str:
        return self.text

    @property
    def selector(self) -> Selector:
        """The version that an alias pins; a tag's own name floats."""
        parts = (self.major, self.minor, self.patch)
        return Selector(tuple(part for part in parts if part is not None), self.digest)
