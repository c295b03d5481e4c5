"""The append-only log of all writes, in commit order, and the Merkle tree over it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import User
from registry.models.fields import BytewiseField


class Event(models.Model):
    """One write: its action, subject, actor, time and request."""

    # Decision 065: numbers order events; times only inform, as clocks go back.
    number = models.PositiveBigIntegerField(primary_key=True, db_comment="1, 2, 3 ... no gaps")
    action = models.CharField(max_length=32, db_comment="version.published, version.yanked ...")
    subject = BytewiseField(max_length=255, db_comment="tag, exact reference, kind or namespace")
    namespace = BytewiseField(max_length=64, blank=True, default="", db_comment="or empty")
    actor = models.ForeignKey(User, models.PROTECT, related_name="+")
    detail = models.TextField(default="{}", db_comment="JSON: what the action adds")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    request = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_comment="id of the HTTP request, as it is logged",
    )

    class Meta:
        ordering = ("number",)
        constraints = (
            models.CheckConstraint(condition=Q(number__gte=1), name="event_counts_from_one"),
        )
        indexes = (
            models.Index(fields=("namespace", "number"), name="event_by_namespace"),
            models.Index(fields=("namespace", "action", "number"), name="event_by_action"),
            models.Index(fields=("created",), name="event_by_day"),
            models.Index(fields=("request", "number"), name="event_by_request"),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.action} {self.subject}"


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
