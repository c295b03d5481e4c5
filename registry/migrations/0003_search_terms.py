"""Search by terms: its tables replace the trigrams of names."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from registry.models.fields import BytewiseField


def empty_search_index(apps: Any, _: Any) -> None:
    """Delete the entries: after the migration, those and all terms are computed again."""
    apps.get_model("registry", "Entry").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = (("registry", "0002_launch_years"),)

    operations = [
        migrations.RunPython(empty_search_index, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="name", name="name_by_length"),
        migrations.DeleteModel(name="GramCount"),
        migrations.DeleteModel(name="Gram"),
        migrations.AddField(
            model_name="entry",
            name="published",
            field=models.DateField(db_comment="UTC, of the newest version", null=True),
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                (
                    "text",
                    BytewiseField(
                        db_comment="letters and digits",
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "tags",
                    models.PositiveIntegerField(db_comment="how many have the term", default=0),
                ),
                (
                    "is_word",
                    models.BooleanField(db_comment="a word, whose typos are mended", default=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TermGram",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "text",
                    BytewiseField(
                        db_comment="three characters; blanks stand for the ends", max_length=3
                    ),
                ),
                ("length", models.PositiveSmallIntegerField(db_comment="characters of the term")),
                ("term", BytewiseField(db_comment="a term's text", max_length=40)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("text", "length", "term"), name="term_gram_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="postings",
                        to="registry.tag",
                    ),
                ),
                ("term", BytewiseField(db_comment="a term's text", max_length=40)),
                (
                    "weight",
                    models.PositiveSmallIntegerField(
                        db_comment="where it stands; the most telling first"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tag", "term", "weight"), name="posting_once"),
                ],
                "indexes": [
                    models.Index(fields=["term", "weight", "tag"], name="posting_by_weight"),
                ],
            },
        ),
    ]
