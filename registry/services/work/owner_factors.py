"""The task that finds namespaces on which others have begun to build."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from registry.models import Duty
from registry.services.namespaces import owner_factors
from registry.services.work.tasks import GoOn

PAUSE = timedelta(hours=1)  # grace is counted in days; a look reads all uses


class OwnerFactors:
    """Notes such namespaces, and tells their owners that they need a second factor."""

    name = "owner-factors"
    interval = 60.0

    def is_due(self) -> bool:
        """Return whether the last look was an hour ago."""
        now = timezone.now()
        recent = Duty.objects.filter(name=self.name, succeeded__range=(now - PAUSE, now))
        return not recent.exists()

    def run(self, may_go_on: GoOn) -> None:
        """Note what is built on by now."""
        owner_factors.note_built_on()
