"""Indexes of entries by each fact, machines before chips."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0021_readmes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                fields=[column, "place", "text"], name=f"entry_machines_of_{column}"
            ),
        )
        for column in ("namespace", "kind", "vendor", "arch", "family")
    ]
