"""The parameter `limit` of lists."""

import pytest
from django.test import Client

from tests.api.problems import problem

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LISTS = (
    "tags",
    "kinds",
    "namespaces",
    "events",
    "versions/nvidia/jetson-nano:cuda",
    "dependents/arm/soc",
)


@pytest.mark.parametrize("path", LISTS)
def test_pages_with_a_limit_add_up_to_the_page_without(client: Client, path: str) -> None:
    expected = client.get(f"/api/v1/{path}").json()["results"][:3]
    seen: list[object] = []
    url = f"/api/v1/{path}?limit=1"
    while url and len(seen) < len(expected):
        data = client.get(url).json()
        assert len(data["results"]) == 1
        seen += data["results"]
        url = data["next"]
    assert seen == expected
    assert len(seen) > 1


@pytest.mark.parametrize("path", [*LISTS, "proposals", "namespace-requests", "namespaces/nvidia"])
def test_other_limits_say_what_is_expected(client: Client, path: str) -> None:
    for text in ("0", "101", "ten", "-1"):
        data = problem(client.get(f"/api/v1/{path}?limit={text}"), "FILTER_INVALID")
        expected = f"limit={text} is not valid: expected a whole number from 1 to 100."
        assert data["detail"] == expected
    problem(client.get(f"/api/v1/{path}?limit=1&limit=2"), "REQUEST_INVALID")
