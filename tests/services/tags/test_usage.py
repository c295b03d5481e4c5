"""Reading the usage of a tag, by day."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import DailyUsage, Tag
from registry.services.core import usage
from registry.services.tags.usage import tag_usage

pytestmark = pytest.mark.django_db


def test_the_last_thirty_days_are_listed_with_today_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tag, today = Tag.objects.get(text="arm/soc"), date(2026, 11, 22)
    monkeypatch.setattr(usage, "today", lambda: today)
    for ago, resolves in ((30, 100), (29, 10), (1, 5)):
        day = today - timedelta(days=ago)
        DailyUsage.objects.create(tag=tag, day=day, resolves=resolves)
    usage.count("arm/soc", 2)
    usage.flush()
    with CaptureQueriesContext(connection) as captured:
        counted = tag_usage(tag)
    assert len(captured) == 1
    assert (counted.days, counted.resolves) == (30, 17)
    days = [day.day for day in counted.daily]
    assert days == [today - timedelta(days=ago) for ago in range(29, -1, -1)]
    assert [day.resolves for day in counted.daily] == [10, *[0] * 27, 5, 2]


def test_a_tag_that_was_never_resolved_has_zeros() -> None:
    counted = tag_usage(Tag.objects.get(text="arm/soc"))
    assert (counted.days, counted.resolves) == (30, 0)
