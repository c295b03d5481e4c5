"""Dates for pages: absolute, with a relative text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.timesince import timesince


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, in UTC."""

    at: datetime

    @property
    def ago(self) -> str:
        """Return the age in one unit, as in `3 days ago`."""
        now = timezone.now()
        if now - self.at < timedelta(minutes=1):
            return "just now"
        return f"{timesince(self.at, now, depth=1)} ago"
