"""Note the tags that each revision changed; PostgreSQL's triggers now see the changed rows."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

TABLES = ("tag", "version", "versionleaf", "name", "withdrawal", "deprecation", "lintreport")
OPERATIONS = ("", "_insert", "_update", "_delete", "_truncate")


def drop_triggers(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers that advance the revision; they are installed after every migrate."""
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    for table in (f"registry_{name}" for name in TABLES):
        place = f" ON {table}" if is_postgresql else ""
        for operation in OPERATIONS:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_revision{operation}{place}")


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
        migrations.RunPython(drop_triggers, drop_triggers),
    )
