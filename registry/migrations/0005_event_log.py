"""The event log as a Merkle tree; after the migration, it covers the events so far."""

import django.db.models.deletion
from django.db import migrations, models

from registry.models.fields import BytewiseField


class Migration(migrations.Migration):
    dependencies = (("registry", "0004_trusted_publishers"),)

    operations = [
        migrations.CreateModel(
            name="LogFork",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "origin",
                    BytewiseField(db_comment="of the log that ended", max_length=200, unique=True),
                ),
                (
                    "size",
                    models.PositiveBigIntegerField(db_comment="of its last signed checkpoint"),
                ),
                ("root", models.CharField(db_comment="base64; of that checkpoint", max_length=44)),
                ("reason", models.CharField(db_comment="public; by the operator", max_length=500)),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="LogKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("origin", BytewiseField(db_comment="name of the log", max_length=200)),
                (
                    "key",
                    BytewiseField(
                        db_comment="as signed notes write it: name+id+key", max_length=300
                    ),
                ),
                (
                    "since",
                    models.PositiveBigIntegerField(
                        db_comment="size of the tree when it came into force"
                    ),
                ),
                (
                    "endorsement",
                    models.CharField(
                        blank=True,
                        db_comment="base64: the last key's signature; or empty",
                        max_length=88,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [models.UniqueConstraint(fields=("key",), name="log_key_once")],
            },
        ),
        migrations.CreateModel(
            name="LogRange",
            fields=[
                (
                    "size",
                    models.PositiveBigIntegerField(
                        db_comment="leaves: the number of the transaction's last event",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "hashes",
                    models.BinaryField(
                        db_comment="roots of its complete subtrees, the largest first"
                    ),
                ),
                (
                    "is_backfilled",
                    models.BooleanField(
                        db_comment="covers events of release 0.1, whose leaves say so",
                        default=False,
                    ),
                ),
            ],
            options={
                "ordering": ("size",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("size__gte", 1)), name="log_range_not_empty"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogTile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("level", models.PositiveSmallIntegerField(db_comment="0: hashes of leaves")),
                ("index", models.PositiveBigIntegerField(db_comment="0, 1, 2 ... on its level")),
                ("hashes", models.BinaryField(db_comment="256 of 32 bytes")),
                ("root", models.BinaryField(db_comment="over the hashes")),
            ],
            options={
                "ordering": ("level", "index"),
                "constraints": [
                    models.UniqueConstraint(fields=("level", "index"), name="log_tile_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="VersionLeaf",
            fields=[
                (
                    "event",
                    models.PositiveBigIntegerField(
                        db_comment="its number", primary_key=True, serialize=False
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        db_comment="it is about",
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaves",
                        to="registry.version",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["version", "event"], name="leaf_by_version")],
            },
        ),
    ]
