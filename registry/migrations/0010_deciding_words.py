"""Compute the terms of search again: without messages, and without parts of words."""

from typing import Any

from django.db import migrations


def empty_search_index(apps: Any, _: Any) -> None:
    """Delete the entries: after the migration, those and all terms are computed again."""
    apps.get_model("registry", "Entry").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = (("registry", "0009_places"),)

    operations = (migrations.RunPython(empty_search_index, migrations.RunPython.noop),)
