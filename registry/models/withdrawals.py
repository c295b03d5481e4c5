"""Second thoughts: versions yanked, tags deprecated. Rows are added, never changed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import User
from registry.models.names import Tag


class Withdrawal(models.Model):
    """A version yanked or unyanked; the highest sequence of a version holds."""

    version = models.ForeignKey("Version", models.PROTECT, related_name="withdrawals")
    sequence = models.PositiveSmallIntegerField(db_comment="1, 2, 3 ... within the version")
    yanked = models.BooleanField(db_comment="false: taken back")
    reason = models.TextField(db_comment="shown to everybody who resolves an exact pin")
    actor = models.ForeignKey(User, models.PROTECT, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("version", "sequence"), name="withdrawal_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="withdrawal_says_why"),
        )

    def __str__(self) -> str:
        return f"{'yank' if self.yanked else 'unyank'} {self.version_id}: {self.reason}"


class Deprecation(models.Model):
    """A tag marked as superseded, or no longer so; the highest sequence of a tag holds."""

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
