"""The member `usage` of GET tags/<tag>."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import DailyUsage
from registry.services.core import usage

pytestmark = pytest.mark.django_db

URL = "/api/v1/tags/nvidia/a100"  # an alias


def test_usage_counts_the_last_thirty_days(client: Client) -> None:
    for _ in range(3):
        client.get("/api/v1/resolve/nvidia/nvidia-a100@1")
    usage.flush()
    counted = client.get(URL).json()["usage"]
    assert (counted["days"], counted["resolves"]) == (30, 3)
    day = DailyUsage.objects.get().day.isoformat()
    assert {"day": day, "resolves": 3} in counted["daily"]
    days = [count["day"] for count in counted["daily"]]
    assert days == sorted(set(days))
    assert len(days) == 30


def test_unused_tag_has_zeros(client: Client) -> None:
    counted = client.get(URL).json()["usage"]
    assert counted["resolves"] == 0
    assert {count["resolves"] for count in counted["daily"]} == {0}


def test_new_counts_change_the_etag(client: Client) -> None:
    etag = client.get(URL)["ETag"]
    assert client.get(URL, headers={"If-None-Match": etag}).status_code == 304
    usage.count("nvidia/nvidia-a100")
    usage.flush()
    assert client.get(URL, headers={"If-None-Match": etag}).status_code == 200


def test_number_of_queries_does_not_grow_with_the_days(client: Client) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(URL)
        return len(captured)

    client.get(URL)  # warms up the process
    few = count_queries()
    usage.count("nvidia/nvidia-a100")
    usage.flush()
    assert (few, count_queries()) == (8, 8)
