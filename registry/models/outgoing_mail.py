"""Mail that waits for the worker to send it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


# Decision 161: a request queues its mail with what it writes, and waits for no mail server.
class OutgoingMail(models.Model):
    """A mail on its way, deleted once it is sent. One that was given up has no content."""

    kind = models.CharField(max_length=60, db_comment="such as email_confirmation")
    message_id = models.CharField(
        max_length=255, unique=True, db_comment="the header, the same in every attempt"
    )
    content = models.TextField(
        db_comment="recipient and text, encrypted with the secret key; empty once it has failed"
    )
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    due = models.DateTimeField(db_comment="UTC; of the next attempt")
    attempts = models.PositiveSmallIntegerField(default=0, db_comment="that failed")
    reason = models.CharField(
        max_length=120, blank=True, default="", db_comment="why the last attempt failed"
    )
    failed = models.DateTimeField(
        null=True, blank=True, db_comment="UTC; when it was given up; null: it waits"
    )

    class Meta:
        ordering = ("due", "pk")
        indexes = (models.Index(fields=("failed", "due"), name="outgoing_mail_due"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(failed=None) | Q(content=""), name="failed_mail_keeps_no_content"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"
