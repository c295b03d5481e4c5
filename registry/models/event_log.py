"""The event log as a Merkle tree: its sizes, full tiles, keys and forks."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.fields import BytewiseField


class LogRange(models.Model):
    """The tree after one transaction, as a compact range: enough to append to it."""

    size = models.PositiveBigIntegerField(
        primary_key=True, db_comment="leaves: the number of the transaction's last event"
    )
    hashes = models.BinaryField(db_comment="roots of its complete subtrees, the largest first")
    is_backfilled = models.BooleanField(
        default=False, db_comment="covers events of release 0.1, whose leaves say so"
    )

    class Meta:
        ordering = ("size",)
        constraints = (
            models.CheckConstraint(condition=Q(size__gte=1), name="log_range_not_empty"),
        )

    def __str__(self) -> str:
        return str(self.size)


class LogTile(models.Model):
    """A full tile, and the root over it, which the tile above holds."""

    level = models.PositiveSmallIntegerField(db_comment="0: hashes of leaves")
    index = models.PositiveBigIntegerField(db_comment="0, 1, 2 ... on its level")
    hashes = models.BinaryField(db_comment="256 of 32 bytes")
    root = models.BinaryField(db_comment="over the hashes")

    class Meta:
        ordering = ("level", "index")
        constraints = (models.UniqueConstraint(fields=("level", "index"), name="log_tile_once"),)

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class LogKey(models.Model):
    """A public key that signs checkpoints; the newest row is in force. The private one is not
    in the database."""

    origin = BytewiseField(max_length=200, db_comment="name of the log")
    key = BytewiseField(max_length=300, db_comment="as signed notes write it: name+id+key")
    since = models.PositiveBigIntegerField(db_comment="size of the tree when it came into force")
    endorsement = models.CharField(
        max_length=88, blank=True, db_comment="base64: the last key's signature; or empty"
    )
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("key",), name="log_key_once"),)

    def __str__(self) -> str:
        return self.key


class LogFork(models.Model):
    """A log that ended, because events were lost that it had signed for."""

    origin = BytewiseField(max_length=200, unique=True, db_comment="of the log that ended")
    size = models.PositiveBigIntegerField(db_comment="of its last signed checkpoint")
    root = models.CharField(max_length=44, db_comment="base64; of that checkpoint")
    reason = models.CharField(max_length=500, db_comment="public; by the operator")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.origin} at {self.size}"
