"""The append-only log of all writes, in commit order, without gaps."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import User
from registry.models.fields import BytewiseField


class Event(models.Model):
    """One write: its action, subject, actor, time and request."""

    number = models.PositiveBigIntegerField(primary_key=True, db_comment="1, 2, 3 ... no gaps")
    action = models.CharField(max_length=32, db_comment="version.published, version.yanked ...")
    subject = BytewiseField(max_length=255, db_comment="tag, exact reference, kind or namespace")
    namespace = BytewiseField(max_length=64, blank=True, default="", db_comment="or empty")
    actor = models.ForeignKey(User, models.PROTECT, related_name="+")
    detail = models.TextField(default="{}", db_comment="JSON: what the action adds")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    request = models.CharField(
        max_length=64, blank=True, default="", db_comment="id of the request, as in the log"
    )

    class Meta:
        ordering = ("number",)
        constraints = (
            models.CheckConstraint(condition=Q(number__gte=1), name="event_counts_from_one"),
        )
        indexes = (
            models.Index(fields=("namespace", "number"), name="event_by_namespace"),
            models.Index(fields=("created",), name="event_by_day"),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.action} {self.subject}"
