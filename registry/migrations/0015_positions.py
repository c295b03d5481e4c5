"""Positions of duties that read changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("registry", "0014_worker"),)

    operations = (
        migrations.AddField(
            model_name="duty",
            name="position",
            field=models.PositiveBigIntegerField(
                blank=True,
                db_comment="number of the last change that it has handled",
                null=True,
            ),
        ),
    )
