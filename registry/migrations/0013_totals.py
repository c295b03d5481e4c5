"""Add running totals, which are computed after the migration, and an index of news."""

from django.db import migrations, models

import registry.models.fields


class Migration(migrations.Migration):
    dependencies = (("registry", "0012_answer_changes"),)

    operations = (
        migrations.CreateModel(
            name="GroupTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "fact",
                    registry.models.fields.BytewiseField(
                        db_comment="pointer of the number; empty: all tags", max_length=128
                    ),
                ),
                (
                    "namespace",
                    registry.models.fields.BytewiseField(db_comment="its name", max_length=183),
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
                        db_comment="x86_64, sm_90 ... or empty", max_length=128
                    ),
                ),
                (
                    "family",
                    registry.models.fields.BytewiseField(
                        db_comment="of the hardware, or empty", max_length=128
                    ),
                ),
                ("status", models.CharField(db_comment="of the tag as a whole", max_length=10)),
                ("number", models.BigIntegerField(db_comment="of tags, never 0")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("fact", "namespace", "kind", "vendor", "arch", "family", "status"),
                        name="group_total_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Total",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "counted",
                    models.CharField(
                        choices=[
                            ("option", "Option"),
                            ("values", "Values"),
                            ("tags", "Tags"),
                            ("names", "Names"),
                            ("families", "Families"),
                            ("variants", "Variants"),
                            ("versions", "Versions"),
                            ("stated", "Stated"),
                        ],
                        db_comment="what, and by what",
                        max_length=8,
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="a namespace, or llvm/mcpu, or gpu/hardware/cores",
                        max_length=768,
                    ),
                ),
                ("number", models.BigIntegerField(db_comment="never 0")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("counted", "name"), name="total_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ValueTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "option",
                    registry.models.fields.BytewiseField(
                        db_comment="kind and pointer: llvm/mcpu", max_length=576
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the value as text", max_length=256
                    ),
                ),
                ("number", models.BigIntegerField(db_comment="of tags, never 0")),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("option"),
                        models.OrderBy(models.F("number"), descending=True),
                        models.F("text"),
                        name="value_total_most_used",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("option", "text"), name="value_total_once")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["namespace", "action", "number"], name="event_by_action"),
        ),
    )
