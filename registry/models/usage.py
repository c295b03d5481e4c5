"""Counts of resolves, per tag and day and as recent sums, for `registry.services.core.usage`."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from registry.models.fields import BytewiseField
from registry.models.names import Tag


class DailyUsage(models.Model):
    """The number of times that a tag was resolved on one day."""

    tag = models.ForeignKey(Tag, models.CASCADE, related_name="daily_usage", db_index=False)
    day = models.DateField(db_index=True, db_comment="UTC")
    resolves = models.PositiveBigIntegerField(db_comment="requests and references of batches")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tag", "day"), name="daily_usage_once"),
            models.CheckConstraint(condition=Q(resolves__gte=1), name="daily_usage_counts"),
        )

    def __str__(self) -> str:
        return f"{self.tag_id} on {self.day}: {self.resolves}"


class RecentUsage(models.Model):
    """The number of times that a tag was resolved lately; a tag that was not has no row."""

    tag = models.OneToOneField(Tag, models.CASCADE, primary_key=True, related_name="recent_usage")
    text = BytewiseField(db_comment="the tag's, to sort by without a join")
    resolves = models.PositiveBigIntegerField(db_comment="of the 30 days that end with `day`")
    day = models.DateField(db_index=True, db_comment="UTC; earlier days are summed again")

    class Meta:
        indexes = (models.Index(F("resolves").desc(), F("text"), name="usage_most_used"),)
        constraints = (
            models.CheckConstraint(condition=Q(resolves__gte=1), name="recent_usage_counts"),
        )

    def __str__(self) -> str:
        return f"{self.text}: {self.resolves}"
