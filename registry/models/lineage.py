"""The versions that a version was made from: those that it uses, and all behind them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F, Q

from registry.domain.resolution.body_references import Relation
from registry.models.fields import BytewiseField
from registry.models.names import Name
from ttag_rules.names import MAX_REFERENCE


class Dependency(models.Model):
    """A direct use of one version by another."""

    version = models.ForeignKey("Version", models.PROTECT, related_name="uses")
    position = models.PositiveSmallIntegerField(db_comment="the root's parents first")
    pointer = models.TextField(db_comment="JSON pointer of the node in the target")
    requested = BytewiseField(max_length=MAX_REFERENCE, db_comment="the reference as written")
    name = models.ForeignKey(Name, models.PROTECT, related_name="uses")
    is_floating = models.BooleanField(db_comment="another version could answer to it later")
    resolved = models.ForeignKey("Version", models.PROTECT, related_name="used_by")
    relation = models.CharField(max_length=8, db_comment="inherits or composes")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("version", "position"), name="dependency_once"),
            models.CheckConstraint(
                condition=Q(relation__in=[str(relation) for relation in Relation]),
                name="dependency_relation_known",
            ),
            models.CheckConstraint(
                condition=~Q(version=F("resolved")), name="dependency_on_another"
            ),
        )

    def __str__(self) -> str:
        return f"{self.pointer or 'root'} {self.relation} {self.requested}"


class AncestryQuerySet(models.QuerySet["Ancestry"]):
    """Queries for the lineages of versions."""

    def of_families(self) -> Self:
        """Select the families in the lineage of each tag's newest version.

        Of a tag whose versions are all yanked, those of all: it is still made from them.
        """
        is_newest, is_fully_yanked = (
            Q(version__entry__isnull=False),
            Q(version__tag__entry__version=None),
        )
        return self.filter(is_newest | is_fully_yanked, ancestor__tag__is_family=True)


class Ancestry(models.Model):
    """An entry in a version's lineage, which is stored breadth first."""

    version = models.ForeignKey("Version", models.PROTECT, related_name="ancestry")
    position = models.PositiveSmallIntegerField(db_comment="breadth first")
    distance = models.PositiveSmallIntegerField(db_comment="1 for a direct use")
    ancestor = models.ForeignKey("Version", models.PROTECT, related_name="descent")

    objects = AncestryQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("version", "position"), name="ancestry_order"),
            models.UniqueConstraint(fields=("version", "ancestor"), name="ancestry_once"),
        )

    def __str__(self) -> str:
        return f"{self.version_id} from {self.ancestor_id}"
