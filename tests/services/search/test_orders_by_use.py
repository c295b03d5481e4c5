"""The most often resolved tags."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.services.core import stored_usage
from registry.services.core.usage import today
from registry.services.search.orders import top_tags

pytestmark = pytest.mark.django_db


def test_top_tags_were_resolved_most_often() -> None:
    counts = {"arm/soc": 2, "nvidia/nvidia-a100": 7, "arm/soc:aot": 2}
    stored_usage.add_counts({(tag, today()): count for tag, count in counts.items()})
    with CaptureQueriesContext(connection) as captured:
        top = top_tags(3)
    assert len(captured) == 2
    assert [(resolves, entry.text) for resolves, entry in top] == [
        (7, "nvidia/nvidia-a100"),
        (2, "arm/soc"),
        (2, "arm/soc:aot"),
    ]
    assert len(top_tags(1)) == 1


def test_tags_that_were_not_resolved_are_left_out() -> None:
    assert top_tags(3) == []
