"""The lints of versions, derived from published targets and from what compilers know.

Unlike versions they change: `registry.services.operations.linting` recomputes them.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.versions import Version


# Decision 050: lints are derived, so that newer facts can change them, not versions.
class LintReport(models.Model):
    """The lints of a version; a version without any has no row."""

    version = models.OneToOneField(
        Version, models.CASCADE, primary_key=True, related_name="lint_report"
    )
    lints = models.TextField(db_comment="JSON: the lints, as resolutions show them")
    count = models.PositiveSmallIntegerField(db_comment="number of lints, for lists")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(count__gte=1), name="lint_report_has_lints"),
        )

    def __str__(self) -> str:
        return f"{self.version_id}: {self.count}"
