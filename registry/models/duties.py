"""Duties of the worker, each done by one process at a time."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Duty(models.Model):
    """A duty, the process that does it now, and how its last runs ended."""

    name = models.CharField(primary_key=True, max_length=40, db_comment="such as mail or backup")
    holder = models.CharField(
        max_length=120, blank=True, default="", db_comment="host, process and a random number"
    )
    held_until = models.DateTimeField(
        null=True, blank=True, db_comment="UTC; from then on others may do it; null: nobody does"
    )
    succeeded = models.DateTimeField(null=True, blank=True, db_comment="UTC; of the last run")
    failed = models.DateTimeField(null=True, blank=True, db_comment="UTC; of the last failed run")
    failures = models.PositiveIntegerField(default=0, db_comment="since it last succeeded")
    reason = models.CharField(
        max_length=255, blank=True, default="", db_comment="why the last failed run did"
    )

    position = models.PositiveBigIntegerField(
        null=True, blank=True, db_comment="number of the last change that it has handled"
    )

    class Meta:
        verbose_name_plural = "duties"
        constraints = (
            models.CheckConstraint(
                condition=Q(held_until=None) | ~Q(holder=""), name="held_duty_has_a_holder"
            ),
        )

    def __str__(self) -> str:
        return self.name
