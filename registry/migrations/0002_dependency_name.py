"""Which name a dependency was requested by: an alias can be pointed elsewhere."""

import django.db.models.deletion
from django.db import migrations, models


def fill(apps, schema_editor):
    """The name stands before the @ of what was requested; names are never freed."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # or the next ALTER TABLE is refused
            cursor.execute(
                "DROP TRIGGER IF EXISTS registry_dependency_no_update ON registry_dependency"
            )
        else:  # every migrate ends with making the triggers anew
            cursor.execute("DROP TRIGGER IF EXISTS registry_dependency_no_update")
    names = dict(apps.get_model("registry", "Name").objects.values_list("text", "pk"))
    dependencies = apps.get_model("registry", "Dependency").objects
    for requested in dependencies.values_list("requested", flat=True).distinct():
        name = names[requested.partition("@")[0]]
        dependencies.filter(requested=requested).update(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="dependency",
            name="name",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="uses",
                to="registry.name",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="dependency",
            name="name",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="uses", to="registry.name"
            ),
        ),
    ]
