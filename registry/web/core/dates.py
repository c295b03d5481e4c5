"""Dates as pages show them: absolute, with relative text beside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.timesince import timesince


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, in UTC."""

    at: datetime

    @property
    def ago(self) -> str:
        """`3 days ago`, in one unit."""
        now = timezone.now()
        if now - self.at < timedelta(minutes=1):
            return "just now"
        return f"{timesince(self.at, now, depth=1)} ago"
