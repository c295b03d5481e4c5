"""The chart of how often a tag was resolved."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from registry.models import DailyUsage
from registry.services.core import usage
from registry.services.tags.usage import DayCount, TagUsage
from registry.web.tags.usage_chart import HEIGHT, UsageChart
from tests.web.conftest import Visitor

FIRST = date(2026, 10, 24)


def tag_usage(counts: list[int]) -> TagUsage:
    days = enumerate(counts)
    return TagUsage(tuple(DayCount(FIRST + timedelta(days=day), count) for day, count in days))


@given(st.lists(st.integers(0, 10**12), min_size=30, max_size=30))
def test_bars_grow_with_counts_and_stay_inside(counts: list[int]) -> None:
    chart = UsageChart.of(tag_usage(counts))
    assert [bar.resolves for bar in chart.bars] == [count for count in counts if count]
    for bar in chart.bars:
        assert 1 <= bar.height <= HEIGHT
        assert bar.y + bar.height == HEIGHT
        assert 0 <= bar.x <= chart.width - chart.bar_width
    heights = sorted((bar.resolves, bar.height) for bar in chart.bars)
    assert [height for _, height in heights] == sorted(height for _, height in heights)
    if chart.bars:
        assert chart.busiest.resolves == max(counts)
        assert chart.busiest.height == HEIGHT


def test_busiest_day_is_the_last_of_several() -> None:
    assert UsageChart.of(tag_usage([0, 7, 7, 1])).busiest.day == FIRST + timedelta(days=2)


@pytest.mark.django_db
def test_page_says_how_often_the_tag_was_resolved(visit: Visitor) -> None:
    usage.count("nvidia/nvidia-a100", 1234)
    usage.flush()
    day = DailyUsage.objects.get().day
    for path in ("/tags/nvidia/a100", "/tags/nvidia/nvidia-a100@1"):
        page = visit(path)
        assert "Resolved 1,234 times in the last 30 days" in page.text
        (drawing,) = re.findall(r'<svg class="daily-usage".*?</svg>', page.html)
        assert f">Per day, the most on {day}: 1,234</title>" in drawing
        assert drawing.count("<rect ") == 1


@pytest.mark.django_db
def test_one_time_is_singular(visit: Visitor) -> None:
    usage.count("arm/soc")
    usage.flush()
    assert "Resolved 1 time in the last 30 days" in visit("/tags/arm/soc").text


@pytest.mark.django_db
def test_page_of_an_unused_tag_has_no_chart(visit: Visitor) -> None:
    page = visit("/tags/arm/soc")
    assert "Not resolved in the last 30 days" in page.text
    assert "daily-usage" not in page.html
