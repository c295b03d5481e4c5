"""One table of names: tags and aliases. A name once used is never free for another tag."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from registry.models.accounts import Namespace
from registry.models.fields import BytewiseField


class Tag(models.Model):
    """A named target, of which there are versions."""

    text = BytewiseField(unique=True, db_comment="namespace/name[:variant]")
    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="tags")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("text",)

    def __str__(self) -> str:
        return self.text


class Name(models.Model):
    """A spelling by which a tag is found: its own, or an alias, which may fix a version."""

    text = BytewiseField(unique=True, db_comment="what stands before the @ of a reference")
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
    def has_selector(self) -> bool:
        """Whether the alias fixes a version, or a line of versions."""
        return self.major is not None or bool(self.digest)


class Gram(models.Model):
    """Three letters in a row of a folded name: the index behind search and near names."""

    name = models.ForeignKey(Name, models.CASCADE, related_name="grams", db_index=False)
    text = BytewiseField(max_length=3, db_comment="three characters of the folded name")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("name", "text"), name="gram_once"),)
        indexes = (models.Index(F("text"), F("name"), name="gram_names"),)

    def __str__(self) -> str:
        return self.text
