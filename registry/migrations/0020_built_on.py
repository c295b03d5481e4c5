"""When other namespaces were first seen to build on one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0019_ways_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="built_on_since",
            field=models.DateTimeField(
                blank=True,
                db_comment="UTC; when another namespace was first seen to use it",
                null=True,
            ),
        ),
    ]
