import django.db.models.deletion
import django.db.models.functions
from django.db import migrations, models

import registry.models.fields


def count_grams(apps, schema_editor):
    """How many names hold each gram."""
    grams = apps.get_model("registry", "Gram").objects
    counts = apps.get_model("registry", "GramCount")
    held = grams.values_list("text").annotate(models.Count("pk")).order_by()
    counts.objects.bulk_create(counts(text=text, names=names) for text, names in held)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0002_dependency_name"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="request",
            field=models.CharField(
                blank=True, db_comment="id of the request, as in the log", default="", max_length=64
            ),
        ),
        migrations.CreateModel(
            name="Attribute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "pointer",
                    registry.models.fields.BytewiseField(
                        db_comment="JSON pointer; of a list, the list's", max_length=512
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="the pointer's last token", max_length=128
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the value as text: sm_90, 8, true", max_length=256
                    ),
                ),
                (
                    "number",
                    models.FloatField(db_comment="the value, where it is a number", null=True),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attributes",
                        to="registry.tag",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["tag", "name", "number", "pointer"], name="attribute_of_tag"
                    ),
                    models.Index(
                        fields=["name", "text", "tag", "pointer"], name="attribute_by_text"
                    ),
                    models.Index(
                        condition=models.Q(("number__isnull", False)),
                        fields=["name", "number", "tag", "pointer"],
                        name="attribute_by_number",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "tag",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="entry",
                        serialize=False,
                        to="registry.tag",
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the tag's, to sort by without a join",
                        max_length=183,
                        unique=True,
                    ),
                ),
                (
                    "kind",
                    registry.models.fields.BytewiseField(
                        db_comment="of the root node; empty for a mixin", max_length=64
                    ),
                ),
                (
                    "vendor",
                    registry.models.fields.BytewiseField(
                        db_comment="who makes the hardware, or empty", max_length=128
                    ),
                ),
                (
                    "arch",
                    registry.models.fields.BytewiseField(
                        db_comment="x86_64, sm_90, gfx942 ... or empty", max_length=128
                    ),
                ),
                (
                    "family",
                    registry.models.fields.BytewiseField(
                        db_comment="of the hardware, or empty", max_length=128
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("deprecated", "Deprecated"),
                            ("yanked", "Yanked"),
                        ],
                        db_comment="of the tag as a whole",
                        max_length=10,
                    ),
                ),
                (
                    "leaves",
                    models.PositiveIntegerField(
                        db_comment="values outside hardware; for near duplicates"
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="registry.namespace",
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entry",
                        to="registry.version",
                    ),
                ),
            ],
            options={
                "ordering": ("text",),
                "indexes": [
                    models.Index(fields=["namespace", "text"], name="entry_by_namespace"),
                    models.Index(fields=["kind", "text"], name="entry_by_kind"),
                    models.Index(fields=["vendor", "text"], name="entry_by_vendor"),
                    models.Index(fields=["arch", "text"], name="entry_by_arch"),
                    models.Index(fields=["family", "text"], name="entry_by_family"),
                    models.Index(
                        fields=["namespace", "kind", "vendor", "arch", "family", "status"],
                        name="entry_facets",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "yanked"), ("version", None)),
                            models.Q(
                                models.Q(("status", "yanked"), _negated=True),
                                ("version__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="entry_has_version_unless_yanked",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GramCount",
            fields=[
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="three characters",
                        max_length=3,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "names",
                    models.PositiveIntegerField(db_comment="how many names hold them", default=0),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="name",
            index=models.Index(
                django.db.models.functions.Length("folded"),
                models.F("text"),
                models.F("folded"),
                models.F("tag"),
                name="name_by_length",
            ),
        ),
        migrations.RunPython(count_grams, migrations.RunPython.noop),
    ]
