"""Webhooks of namespaces, and what was delivered to each."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import Namespace, User
from registry.models.event_log import Event


class Webhook(models.Model):
    """An address to which the events of a namespace are posted."""

    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500, db_comment="https")
    secret = models.TextField(db_comment="that signs, encrypted with the secret key")
    registrar = models.ForeignKey(User, models.PROTECT, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    failures = models.PositiveIntegerField(default=0, db_comment="in a row")
    failing_since = models.DateTimeField(
        null=True, blank=True, db_comment="UTC; of the first of them"
    )
    paused_until = models.DateTimeField(null=True, blank=True, db_comment="UTC; after a failure")
    disabled = models.DateTimeField(
        null=True, blank=True, db_comment="UTC; after days of failures; null: in force"
    )

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("namespace", "url"), name="webhook_once"),)

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.namespace_id}"


class WebhookDelivery(models.Model):
    """An event for a webhook: it waits, was delivered, or was given up."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    message_id = models.CharField(
        max_length=40, unique=True, db_comment="the same in every attempt"
    )
    waits = models.BooleanField(default=True, db_comment="for the next attempt")
    attempts = models.PositiveIntegerField(default=0)
    attempted = models.DateTimeField(null=True, blank=True, db_comment="UTC; the last attempt")
    delivered = models.DateTimeField(null=True, blank=True, db_comment="UTC; the first success")
    status = models.PositiveSmallIntegerField(
        null=True, blank=True, db_comment="of HTTP, of the last response"
    )
    reason = models.CharField(
        max_length=120, blank=True, default="", db_comment="why the last attempt failed"
    )

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ("event",)
        constraints = (
            models.UniqueConstraint(fields=("webhook", "event"), name="webhook_delivery_once"),
        )
        indexes = (
            models.Index(
                fields=("webhook", "event"), condition=Q(waits=True), name="webhook_delivery_waits"
            ),
        )

    def __str__(self) -> str:
        return self.message_id
