"""Times for pages, with their age in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.timesince import timesince


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, in UTC."""

    time: datetime

    @property
    def ago(self) -> str:
        """Return the age in one unit, as in `3 days ago`."""
        now = timezone.now()
        if now - self.time < timedelta(minutes=1):
            return "just now"
        return f"{timesince(self.time, now, depth=1)} ago"
