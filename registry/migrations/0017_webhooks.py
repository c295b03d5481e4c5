"""Webhooks of namespaces, and their deliveries."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def begin_at_the_end(apps: Any, _schema_editor: Any) -> None:
    """Let webhooks begin with the next event."""
    last = apps.get_model("registry", "Event").objects.order_by("-number").first()
    cursors = apps.get_model("registry", "LogCursor").objects
    cursors.create(name="webhooks", number=last.number if last else 0)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0016_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(db_comment="https", max_length=500)),
                (
                    "secret",
                    models.TextField(db_comment="that signs, encrypted with the secret key"),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("failures", models.PositiveIntegerField(db_comment="in a row", default=0)),
                (
                    "failing_since",
                    models.DateTimeField(
                        blank=True, db_comment="UTC; of the first of them", null=True
                    ),
                ),
                (
                    "paused_until",
                    models.DateTimeField(blank=True, db_comment="UTC; after a failure", null=True),
                ),
                (
                    "disabled",
                    models.DateTimeField(
                        blank=True,
                        db_comment="UTC; after days of failures; null: in force",
                        null=True,
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="registry.namespace",
                    ),
                ),
                (
                    "registrar",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "message_id",
                    models.CharField(
                        db_comment="the same in every attempt", max_length=40, unique=True
                    ),
                ),
                ("waits", models.BooleanField(db_comment="for the next attempt", default=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                (
                    "attempted",
                    models.DateTimeField(blank=True, db_comment="UTC; the last attempt", null=True),
                ),
                (
                    "delivered",
                    models.DateTimeField(
                        blank=True, db_comment="UTC; the first success", null=True
                    ),
                ),
                (
                    "status",
                    models.PositiveSmallIntegerField(
                        blank=True, db_comment="of HTTP, of the last response", null=True
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        db_comment="why the last attempt failed",
                        default="",
                        max_length=120,
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.event",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="registry.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "ordering": ("event",),
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("namespace", "url"), name="webhook_once"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("waits", True)),
                fields=["webhook", "event"],
                name="webhook_delivery_waits",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                fields=("webhook", "event"), name="webhook_delivery_once"
            ),
        ),
        migrations.RunPython(begin_at_the_end, migrations.RunPython.noop),
    ]
