"""Search finds the parts of triples: what it looks at is computed anew."""

from django.db import migrations


def forget(apps, schema_editor):
    """What is missing after migrating is computed then, some tags at a time, as at 0003."""
    for derived in ("Attribute", "Entry"):
        apps.get_model("registry", derived).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0004_cache"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
