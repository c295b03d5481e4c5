"""Kinds and their immutable revisions: the schemas that bodies are checked against."""

from __future__ import annotations

from django.db import models
from django.db.models import OuterRef, Subquery

from registry.models.accounts import User
from registry.models.fields import BytewiseField


class Kind(models.Model):
    """A family of nodes, executors, runtimes or settings."""

    name = BytewiseField(max_length=64, unique=True, db_comment="llvm, executor/aot, flow ...")

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class RevisionQuerySet(models.QuerySet["KindRevision"]):
    """Queries for revisions of kinds."""

    def newest(self) -> RevisionQuerySet:
        """Select the revision of every kind that is in force."""
        latest = KindRevision.objects.filter(kind=OuterRef("kind")).order_by("-number")
        return self.filter(pk=Subquery(latest.values("pk")[:1]))


class KindRevision(models.Model):
    """An immutable revision of a kind."""

    kind = models.ForeignKey(Kind, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField(db_comment="1, 2, 3 ... within the kind")
    source = models.TextField(db_comment="JSON Schema as the curator wrote it")
    digest = models.CharField(max_length=71, db_comment="sha256:<hex> of source")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    author = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("kind", "number")
        constraints = (
            models.UniqueConstraint(fields=("kind", "number"), name="kind_revision_once"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="kind_revision_counts_from_one"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} revision {self.number}"
