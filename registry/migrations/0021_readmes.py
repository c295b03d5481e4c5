"""READMEs of namespaces, and comments on requests for namespaces."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0020_built_on"),
    ]

    operations = [
        migrations.CreateModel(
            name="Readme",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(db_comment="1, 2, 3 ... within the namespace"),
                ),
                (
                    "text",
                    models.TextField(
                        blank=True, db_comment="Markdown; empty: no README from here on"
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="readmes",
                        to="registry.namespace",
                    ),
                ),
            ],
            options={
                "ordering": ("namespace", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("namespace", "number"), name="readme_revision_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="readme_revision_counts_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RequestComment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True, db_comment="the comment")),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "key",
                    models.CharField(
                        blank=True,
                        db_comment="of the form it was sent with, or empty",
                        default="",
                        max_length=36,
                    ),
                ),
                (
                    "sequence",
                    models.PositiveIntegerField(db_comment="1, 2, 3 ... within the request"),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comments",
                        to="registry.namespacerequest",
                    ),
                ),
            ],
            options={
                "ordering": ("request", "sequence"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("request", "sequence"), name="request_comment_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("key", ""), _negated=True),
                        fields=("author", "key"),
                        name="request_comment_sent_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="request_comment_has_text",
                    ),
                ],
            },
        ),
    ]
