"""Ways back into an account: recovery keys, and resets by staff that wait."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0018_events_by_request"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecoveryKey",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="recovery_key",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "digest",
                    models.CharField(db_comment="SHA-256 of the key, in hex", max_length=64),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                        name="recovery_key_keeps_no_secret",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountReset",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reset",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "digest",
                    models.CharField(db_comment="SHA-256 of its code, in hex", max_length=64),
                ),
                ("begun", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("valid_from", models.DateTimeField(db_comment="UTC; the end of the waiting time")),
                ("expires", models.DateTimeField(db_comment="UTC")),
                (
                    "begun_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                        name="account_reset_keeps_no_secret",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expires__gt", models.F("valid_from"))),
                        name="account_reset_expires_later",
                    ),
                ],
            },
        ),
    ]
