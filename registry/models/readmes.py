"""The READMEs that namespaces have on their pages."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import Namespace, User


class Readme(models.Model):
    """An immutable revision of a namespace's README. The highest number is in force."""

    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="readmes")
    number = models.PositiveIntegerField(db_comment="1, 2, 3 ... within the namespace")
    text = models.TextField(blank=True, db_comment="Markdown; empty: no README from here on")
    author = models.ForeignKey(User, models.PROTECT, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("namespace", "number")
        constraints = (
            models.UniqueConstraint(fields=("namespace", "number"), name="readme_revision_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="readme_revision_counts_from_one"
            ),
        )

    def __str__(self) -> str:
        return f"README of {self.namespace_id}, revision {self.number}"
