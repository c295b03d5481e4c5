"""Running totals of the search index, so that no page counts a table.

`registry.services.search.totals` writes them; they can be rebuilt from the index at any time. Their
numbers have no check that they are positive: databases would check it before they add.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.db.models import F

from registry.models.fields import BytewiseField
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from ttag_rules.names import MAX_TAG

MAX_KIND = 64
MAX_OPTION = MAX_KIND + MAX_POINTER


class Counted(models.TextChoices):
    """The types of totals: what each counts, and by what."""

    OPTION = "option"  # listed tags, by the kind of a node and the pointer of an option in it
    VALUES = "values"  # distinct values of an option, by the same
    TAGS = "tags"  # by namespace, as the following
    NAMES = "names"  # listed tags that are neither families nor variants
    FAMILIES = "families"  # listed ones
    VARIANTS = "variants"  # listed ones
    VERSIONS = "versions"  # of all tags
    STATED = "stated"  # names, by category and the pointer of a fact about the hardware


class TotalQuerySet(models.QuerySet["Total"]):
    """Queries for totals of one type."""

    def of(self, counted: Counted, names: Iterable[str] | None = None) -> dict[str, int]:
        """Return the totals of one type by name, of some names or of all. One query."""
        rows = self.filter(counted=counted)
        if names is not None:
            rows = rows.filter(name__in=list(names))
        return dict(rows.values_list("name", "number"))


# Decision 162: the write that changes what is counted adds to the totals, in its transaction.
class Total(models.Model):
    """A number of tags, versions or values."""

    counted = models.CharField(max_length=8, choices=Counted, db_comment="what, and by what")
    name = BytewiseField(
        max_length=MAX_TEXT + MAX_POINTER,
        db_comment="a namespace, or llvm/mcpu, or gpu/hardware/cores",
    )
    number = models.BigIntegerField(db_comment="never 0")

    objects = TotalQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("counted", "name"), name="total_once"),)

    def __str__(self) -> str:
        return f"{self.counted} of {self.name}: {self.number}"


class ValueTotal(models.Model):
    """The number of listed tags that have a value of an option."""

    option = BytewiseField(max_length=MAX_OPTION, db_comment="kind and pointer: llvm/mcpu")
    text = BytewiseField(max_length=MAX_TEXT, db_comment="the value as text")
    number = models.BigIntegerField(db_comment="of tags, never 0")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("option", "text"), name="value_total_once"),)
        indexes = (
            models.Index(F("option"), F("number").desc(), F("text"), name="value_total_most_used"),
        )

    def __str__(self) -> str:
        return f"{self.option}={self.text}: {self.number}"


class GroupTotal(models.Model):
    """The number of tags that have the same facts; all of them, or those that state one number."""

    fact = BytewiseField(max_length=MAX_NAME, db_comment="pointer of the number; empty: all tags")
    namespace = BytewiseField(max_length=MAX_TAG, db_comment="its name")
    kind = BytewiseField(max_length=MAX_KIND, db_comment="of the root node; empty for a mixin")
    vendor = BytewiseField(max_length=MAX_NAME, db_comment="who makes the hardware, or empty")
    arch = BytewiseField(max_length=MAX_NAME, db_comment="x86_64, sm_90 ... or empty")
    family = BytewiseField(max_length=MAX_NAME, db_comment="of the hardware, or empty")
    status = models.CharField(max_length=10, db_comment="of the tag as a whole")
    number = models.BigIntegerField(db_comment="of tags, never 0")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("fact", "namespace", "kind", "vendor", "arch", "family", "status"),
                name="group_total_once",
            ),
        )

    def __str__(self) -> str:
        facts = (self.namespace, self.kind, self.vendor, self.arch, self.family, self.status)
        return f"{self.fact or 'tags'} of {', '.join(facts)}: {self.number}"
