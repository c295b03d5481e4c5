"""Comments of columns in plain words. No row and no constraint changes."""

from typing import Any

from django.db import migrations, models

from registry.models.fields import BytewiseField


class AlterComment(migrations.AlterField):
    """An altered comment, and nothing else.

    `AlterField` would rebuild the table on SQLite, which has no comments, and on PostgreSQL alter
    the type too, which triggers on the column forbid.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, _from_state: Any, to_state: Any
    ) -> None:
        """Set the comment where the database has comments; backwards too."""
        if schema_editor.connection.features.supports_comments:
            model = to_state.apps.get_model(app_label, self.model_name)
            field = model._meta.get_field(self.name)
            table, column = map(schema_editor.quote_name, (model._meta.db_table, field.column))
            comment = schema_editor.quote_value(field.db_comment)
            schema_editor.execute(f"COMMENT ON COLUMN {table}.{column} IS {comment}")


class Migration(migrations.Migration):
    dependencies = (("registry", "0007_words"),)

    operations = (
        AlterComment(
            "event",
            "request",
            models.CharField(
                blank=True,
                db_comment="id of the HTTP request, as it is logged",
                default="",
                max_length=64,
            ),
        ),
        AlterComment(
            "name",
            "text",
            BytewiseField(
                db_comment="the part of a reference before the @", max_length=183, unique=True
            ),
        ),
        AlterComment(
            "posting",
            "weight",
            models.PositiveSmallIntegerField(db_comment="where it is; the most telling first"),
        ),
        AlterComment(
            "saveddraft",
            "tag",
            models.TextField(blank=True, db_comment="as entered, to tell drafts apart"),
        ),
        AlterComment(
            "term",
            "is_word",
            models.BooleanField(db_comment="a word, whose typos are corrected", default=False),
        ),
        AlterComment(
            "termgram",
            "text",
            BytewiseField(db_comment="three characters; spaces for the ends", max_length=3),
        ),
        AlterComment("turn", "text", models.TextField(blank=True, db_comment="the comment")),
    )
