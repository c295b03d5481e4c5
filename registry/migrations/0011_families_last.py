"""Give families the last place in lists that begin with machines."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

FAMILY_PLACE = 17


def move_families(apps: Any, _schema_editor: Any) -> None:
    """Set the place of each family, as `indexing` does for new versions."""
    entries = apps.get_model("registry", "Entry").objects
    families = apps.get_model("registry", "Tag").objects.filter(is_family=True).values("pk")
    entries.filter(pk__in=families).update(place=FAMILY_PLACE)


class Migration(migrations.Migration):
    dependencies = (("registry", "0010_deciding_words"),)

    operations = (
        migrations.AlterField(
            model_name="entry",
            name="place",
            field=models.PositiveSmallIntegerField(
                db_comment="of the category, in lists with machines first; families come last"
            ),
        ),
        migrations.RunPython(move_families, migrations.RunPython.noop),
    )
