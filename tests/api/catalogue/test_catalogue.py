"""Tests of GET catalogue."""

import pytest
from django.test import Client

from registry.services.catalogue import coverage
from registry.services.core import shipped_facts
from tests.publishing import publish

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("acme")
def test_categories_state_their_facts(client: Client) -> None:
    hardware = {"category": "gpu", "memory_bytes": 2**30, "sources": {"all": ["https://a.b/c"]}}
    publish("acme/card", {"kind": "opencl", "model": "card", "hardware": hardware})
    categories = client.get("/api/v1/catalogue").json()["categories"]
    (gpu,) = (item for item in categories if item["category"] == "gpu")
    assert gpu["names"] == coverage.category_counts()["gpu"]
    memory, bandwidth, *_ = gpu["facts"]
    assert memory["fact"] == "memory_bytes"
    assert memory["stated"] > bandwidth["stated"] >= 0


def test_sources_are_named_with_their_licences(client: Client) -> None:
    notices = client.get("/api/v1/catalogue").json()["notices"]
    assert notices == coverage.notices()
    assert all(notice["licences"] and notice["url"] for notice in notices)


def test_everything_that_is_missing_or_disagrees_is_listed(client: Client) -> None:
    catalogue = client.get("/api/v1/catalogue").json()
    assert catalogue["missing"] == list(shipped_facts.missing())
    assert [(item["tag"], item["fact"]) for item in catalogue["disagreements"]] == [
        (item["tag"], item["fact"]) for item in coverage.disagreements()
    ]
    assert {item["choice"] for item in catalogue["disagreements"]} != {None}
