"""Index tags by the place of their category, so that lists can begin with machines."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

MACHINES_FIRST = (
    *("cloud-instance", "gpu", "laptop", "desktop", "phone", "tablet", "module", "board"),
    *("npu", "server-cpu", "desktop-cpu", "laptop-cpu", "soc"),
    *("microcontroller-board", "microcontroller", "cpu-core"),
)


def set_places(apps: Any, _schema_editor: Any) -> None:
    """Set the place of each tag with a category, as `indexing` does for new versions."""
    entries = apps.get_model("registry", "Entry").objects
    categories = apps.get_model("registry", "Attribute").objects.filter(
        name="category", pointer="/hardware/category"
    )
    for place, category in enumerate(MACHINES_FIRST):
        tags = categories.filter(text=category).values("tag")
        entries.filter(pk__in=tags).update(place=place)


class Migration(migrations.Migration):
    dependencies = (("registry", "0008_comments"),)

    operations = (
        migrations.AddField(
            model_name="entry",
            name="place",
            field=models.PositiveSmallIntegerField(
                db_comment="of the category, in lists with machines first",
                default=len(MACHINES_FIRST),
            ),
            preserve_default=False,
        ),
        migrations.RunPython(set_places, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["place", "text"], name="entry_by_place"),
        ),
    )
