"""News: what people watch, notices of events, and how these are mailed."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import registry.models.fields


def begin_at_the_end(apps: Any, _schema_editor: Any) -> None:
    """Let the news begin with the next event: what an older release wrote is none."""
    last = apps.get_model("registry", "Event").objects.order_by("-number").first()
    cursors = apps.get_model("registry", "LogCursor").objects
    cursors.create(name="news", number=last.number if last else 0)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0015_positions"),
    ]

    operations = [
        migrations.CreateModel(
            name="LogCursor",
            fields=[
                (
                    "name",
                    models.CharField(
                        db_comment="of the reader", max_length=20, primary_key=True, serialize=False
                    ),
                ),
                (
                    "number",
                    models.PositiveBigIntegerField(
                        db_comment="of the last event that was read; or 0"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NewsFeed",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="news_feed",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "generation",
                    models.PositiveIntegerField(
                        db_comment="is signed, so that a new number ends the old address", default=1
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(db_comment="why it concerns the account", max_length=10)),
                (
                    "needs",
                    models.CharField(
                        blank=True,
                        db_comment="the role without which it is hidden",
                        default="",
                        max_length=8,
                    ),
                ),
                (
                    "namespace",
                    registry.models.fields.BytewiseField(
                        blank=True,
                        db_comment="in which that role is needed; or empty",
                        default="",
                        max_length=64,
                    ),
                ),
                (
                    "via",
                    registry.models.fields.BytewiseField(
                        blank=True,
                        db_comment="a tag of the account that is made from the event's",
                        default="",
                        max_length=183,
                    ),
                ),
                (
                    "more_tags",
                    models.PositiveIntegerField(
                        db_comment="of the account, besides via", default=0
                    ),
                ),
                (
                    "more_events",
                    models.PositiveIntegerField(
                        db_comment="that followed in the same write, with the same action",
                        default=0,
                    ),
                ),
                (
                    "read",
                    models.DateTimeField(blank=True, db_comment="UTC; null: unread", null=True),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="registry.event",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-event",),
            },
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="of a tag, or of a namespace, which has no slash", max_length=183
                    ),
                ),
                (
                    "is_on",
                    models.BooleanField(db_comment="false: not even as its author or curator"),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watches",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "watches",
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="MailChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(db_comment="of news", max_length=10)),
                ("time", models.CharField(db_comment="at once, daily or never", max_length=8)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_choices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "kind"), name="mail_choice_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["security", "review", "proposal", "inherited", "watched"])
                        ),
                        name="mail_choice_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("time__in", ["at once", "daily", "never"])),
                        name="mail_choice_time_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NoticeMail",
            fields=[
                (
                    "notice",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="mail",
                        serialize=False,
                        to="registry.notice",
                    ),
                ),
                (
                    "due",
                    models.DateTimeField(
                        db_comment="UTC; from when on it is mailed, with others due then"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["due"], name="notice_mail_due")],
            },
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("read", None)), fields=["user"], name="notice_unread"
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("user", "event"), name="notice_once"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["security", "review", "proposal", "inherited", "watched"])
                ),
                name="notice_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("needs__in", ["", "curator", "owner", "staff"])),
                name="notice_needs_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="watch",
            constraint=models.UniqueConstraint(fields=("name", "user"), name="watch_once"),
        ),
        migrations.RunPython(begin_at_the_end, migrations.RunPython.noop),
    ]
