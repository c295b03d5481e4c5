"""The table behind Django's cache: throttles count in it, the same for every server process."""

from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    """Make the table of `settings.CACHES`; where it is there, do nothing."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def drop(apps, schema_editor):
    """Counts are worth nothing without the code that reads them."""
    schema_editor.execute("DROP TABLE IF EXISTS registry_cache")


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0003_search_index"),
    ]

    operations = [
        migrations.RunPython(create, drop),
    ]
