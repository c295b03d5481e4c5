"""A small bar chart of how often a tag was resolved, drawn by the server as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from registry.services.tags.usage import TagUsage

HEIGHT = 20  # pixels, of the highest bar
BAR_WIDTH, STEP = 4, 5  # pixels


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of one day, in pixels; a day without any has no bar."""

    day: date
    resolves: int
    x: int
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class UsageChart:
    """The bars of the days on which a tag was resolved, and their numbers in words."""

    usage: TagUsage
    bars: tuple[Bar, ...]
    width: int
    height: int = HEIGHT
    bar_width: int = BAR_WIDTH

    @property
    def busiest(self) -> Bar:
        """Return the day with the most; of several, the last."""
        return max(self.bars, key=lambda bar: (bar.resolves, bar.day))

    @classmethod
    def of(cls, usage: TagUsage) -> UsageChart:
        """Draw a tag's usage. The bar of the busiest day has the full height, others at least 1."""
        most = max(day.resolves for day in usage.daily)
        bars = []
        for index, day in enumerate(usage.daily):
            if day.resolves:
                height = max(1, HEIGHT * day.resolves // most)
                bars.append(Bar(day.day, day.resolves, index * STEP, HEIGHT - height, height))
        return cls(usage, tuple(bars), len(usage.daily) * STEP - (STEP - BAR_WIDTH))
