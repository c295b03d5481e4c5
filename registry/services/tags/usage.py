"""Reads the usage of a tag, for its page and the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from registry.models import DailyUsage, Tag
from registry.services.core import usage
from registry.services.core.stored_usage import RECENT_DAYS


@dataclass(frozen=True, slots=True)
class DayCount:
    """The number of times a tag was resolved on one day."""

    day: date
    resolves: int


@dataclass(frozen=True, slots=True)
class TagUsage:
    """The numbers of times a tag was resolved on each of the last 30 days, today last."""

    daily: tuple[DayCount, ...]

    @property
    def days(self) -> int:
        """Return the number of days."""
        return len(self.daily)

    @property
    def resolves(self) -> int:
        """Return the number for all days."""
        return sum(day.resolves for day in self.daily)


def tag_usage(tag: Tag) -> TagUsage:
    """Return how often a tag was resolved, except for the last seconds. One query."""
    today = usage.today()
    days = [today - timedelta(days=ago) for ago in reversed(range(RECENT_DAYS))]
    rows = DailyUsage.objects.filter(tag=tag, day__gte=days[0])
    counts = dict(rows.values_list("day", "resolves"))
    return TagUsage(tuple(DayCount(day, counts.get(day, 0)) for day in days))
