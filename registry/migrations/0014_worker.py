"""The worker: mail that waits to be sent, and duties that one process does at a time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("registry", "0013_totals"),)

    operations = [
        migrations.CreateModel(
            name="Duty",
            fields=[
                (
                    "name",
                    models.CharField(
                        db_comment="such as mail or backup",
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "holder",
                    models.CharField(
                        blank=True,
                        db_comment="host, process and a random number",
                        default="",
                        max_length=120,
                    ),
                ),
                (
                    "held_until",
                    models.DateTimeField(
                        blank=True,
                        db_comment="UTC; from then on others may do it; null: nobody does",
                        null=True,
                    ),
                ),
                (
                    "succeeded",
                    models.DateTimeField(blank=True, db_comment="UTC; of the last run", null=True),
                ),
                (
                    "failed",
                    models.DateTimeField(
                        blank=True, db_comment="UTC; of the last failed run", null=True
                    ),
                ),
                (
                    "failures",
                    models.PositiveIntegerField(db_comment="since it last succeeded", default=0),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        db_comment="why the last failed run did",
                        default="",
                        max_length=255,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "duties",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("held_until", None),
                            models.Q(("holder", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="held_duty_has_a_holder",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OutgoingMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(db_comment="such as email_confirmation", max_length=60)),
                (
                    "message_id",
                    models.CharField(
                        db_comment="the header, the same in every attempt",
                        max_length=255,
                        unique=True,
                    ),
                ),
                (
                    "content",
                    models.TextField(
                        db_comment="recipient and text, encrypted with the secret key; empty once it has failed"
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("due", models.DateTimeField(db_comment="UTC; of the next attempt")),
                ("attempts", models.PositiveSmallIntegerField(db_comment="that failed", default=0)),
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
                    "failed",
                    models.DateTimeField(
                        blank=True,
                        db_comment="UTC; when it was given up; null: it waits",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ("due", "pk"),
                "indexes": [models.Index(fields=["failed", "due"], name="outgoing_mail_due")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("failed", None), ("content", ""), _connector="OR"),
                        name="failed_mail_keeps_no_content",
                    )
                ],
            },
        ),
    ]
