"""Changes under four-eyes that wait for a second person."""

from __future__ import annotations

from django.db import models

from registry.models.accounts import Namespace, User
from registry.models.fields import BytewiseField


class ChangeKind(models.TextChoices):
    """The subject of a pending change."""

    ALIAS = "alias", "Point an alias"
    POLICY = "policy", "Set the policy"


class PendingChange(models.Model):
    """A change that one person requested and another has not yet confirmed."""

    namespace = models.ForeignKey(Namespace, models.CASCADE, related_name="pending_changes")
    kind = models.CharField(max_length=6, choices=ChangeKind, db_comment="alias or policy")
    subject = BytewiseField(db_comment="the alias, or the namespace")
    before = BytewiseField(
        max_length=255, db_comment="the reference or policy it has; empty for a new alias"
    )
    after = BytewiseField(max_length=255, db_comment="the reference or policy it would get")
    requested_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("kind", "subject"), name="pending_change_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=ChangeKind.values), name="pending_change_kind_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.subject}: {self.after}"
