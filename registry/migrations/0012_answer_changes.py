"""Note the tags that each revision changed; PostgreSQL's triggers now know the changed rows."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

WATCHED = ("version", "versionleaf", "name", "withdrawal", "deprecation", "lintreport")


def drop_older_triggers(_apps: Any, schema_editor: Any) -> None:
    """Drop PostgreSQL's triggers for all operations of a table; SQLite's are replaced by name."""
    if schema_editor.connection.vendor == "postgresql":
        for table in WATCHED:
            name = f"registry_{table}_revision"
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON registry_{table}")
        schema_editor.execute("DROP FUNCTION IF EXISTS registry_advance_revision()")


class Migration(migrations.Migration):
    dependencies = (("registry", "0011_families_last"),)

    operations = (
        migrations.CreateModel(
            name="AnswerChange",
            fields=[
                (
                    "number",
                    models.PositiveBigIntegerField(
                        db_comment="the revision", primary_key=True, serialize=False
                    ),
                ),
                (
                    "tags",
                    models.TextField(
                        db_comment="JSON: names of tags; an empty list: any tag may have changed"
                    ),
                ),
            ],
        ),
        migrations.RunPython(drop_older_triggers, migrations.RunPython.noop),
    )
