"""Ways back into an account whose password is lost: a recovery key, and a reset by staff."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from registry.models.accounts import User

SHA256 = r"^[0-9a-f]{64}$"


class RecoveryKey(models.Model):
    """The key with which an account sets a new password once. Only its SHA-256 is stored."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="recovery_key")
    digest = models.CharField(max_length=64, db_comment="SHA-256 of the key, in hex")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(digest__regex=SHA256), name="recovery_key_keeps_no_secret"
            ),
        )

    def __str__(self) -> str:
        return f"recovery key of {self.user_id}"


class AccountReset(models.Model):
    """A reset of an account that waits, so that its holder hears of it and can stop it."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="reset")
    begun_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, db_comment="SHA-256 of its code, in hex")
    begun = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    valid_from = models.DateTimeField(db_comment="UTC; the end of the waiting time")
    expires = models.DateTimeField(db_comment="UTC")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(digest__regex=SHA256), name="account_reset_keeps_no_secret"
            ),
            models.CheckConstraint(
                condition=Q(expires__gt=F("valid_from")), name="account_reset_expires_later"
            ),
        )

    def __str__(self) -> str:
        return f"reset of {self.user_id}"
