"""Yanks of versions, and their removal. Rows are added, never changed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import User


class Withdrawal(models.Model):
    """A yank of a version, or its removal; the row with the highest sequence is in force."""

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
