"""Changes under four-eyes that wait for a second person."""

from __future__ import annotations

from django.db import models

from registry.models.accounts import Namespace, User
from registry.models.fields import BytewiseField


class ChangeKind(models.TextChoices):
    """The subject of a pending change."""

    ALIAS = "alias", "Point an alias"
    POLICY = "policy", "Set the policy"
    ROLE = "role", "Grant a role"


class PendingChange(models.Model):
    """A change that one person requested and another has not yet confirmed."""

    namespace = models.ForeignKey(Namespace, models.CASCADE, related_name="pending_changes")
    kind = models.CharField(max_length=6, choices=ChangeKind, db_comment="alias, policy or role")
    subject = BytewiseField(db_comment="the alias, or the namespace")
    member = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        related_name="+",
        db_comment="who would get the role; null: another kind",
    )
    before = BytewiseField(
        max_length=255, db_comment="the reference, policy or role now; empty if there is none"
    )
    after = BytewiseField(max_length=255, db_comment="the reference, policy or role requested")
    requested_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "subject"),
                condition=models.Q(member=None),
                name="pending_change_once",
            ),
            models.UniqueConstraint(fields=("namespace", "member"), name="pending_role_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=ChangeKind.values), name="pending_change_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(kind=ChangeKind.ROLE, member__isnull=False)
                | (~models.Q(kind=ChangeKind.ROLE) & models.Q(member=None)),
                name="pending_role_names_a_member",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.subject}: {self.after}"
