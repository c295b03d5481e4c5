"""Tests of GET lineage/<reference> and dependents/<reference>."""

from typing import Any

import pytest
from django.test import Client

from registry.services.core import paging
from registry.services.versions import lineages
from tests.api.problems import problem
from tests.publishing import chain, publish

pytestmark = pytest.mark.django_db


def rows(client: Client, path: str) -> list[dict[str, Any]]:
    """Return all rows of a list, page by page."""
    result: list[dict[str, Any]] = []
    next_url: str | None = f"/api/v1/{path}"
    while next_url:
        response = client.get(next_url)
        assert response.status_code == 200
        page = response.json()
        result += page["results"]
        next_url = page["next"]
    return result


def test_lineage_has_the_documented_shape(client: Client) -> None:
    data = client.get("/api/v1/lineage/arm/soc:aot").json()
    assert data["next"] is None
    itself, soc, aot = data["results"]
    digest, published = itself.pop("digest"), itself.pop("published")
    assert digest.startswith("sha256:")
    assert published.endswith("Z")
    assert itself == {
        "reference": "arm/soc:aot@1.0.0",
        "distance": 0,
        "kind": "c",
        "status": "active",
        "uses": [
            {
                "pointer": "",
                "requested": f"{tag}@1",
                "resolved": f"{tag}@1.0.0",
                "relation": "inherits",
            }
            for tag in ("arm/soc", "micro/aot")
        ],
    }
    assert (soc["reference"], soc["distance"], soc["uses"]) == ("arm/soc@1.0.0", 1, [])
    assert (aot["reference"], aot["kind"]) == ("micro/aot@1.0.0", None)


def test_uses_equal_the_dependencies_of_the_resolution(client: Client) -> None:
    resolved = client.get("/api/v1/resolve/nvidia/jetson-nano:cuda").json()
    result = client.get("/api/v1/lineage/nvidia/jetson-nano:cuda").json()["results"]
    assert result[0]["uses"] == resolved["dependencies"]
    assert [row["reference"] for row in result[1:]] == resolved["lineage"]


@pytest.mark.usefixtures("acme")
def test_pages_of_a_lineage_have_every_row_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = chain(7)
    whole = rows(client, f"lineage/{last}")
    monkeypatch.setattr(lineages, "PAGE", 3)
    assert rows(client, f"lineage/{last}") == whole
    assert [row["distance"] for row in whole] == list(range(7))


@pytest.mark.usefixtures("acme")
def test_dependents_have_the_documented_shape(client: Client) -> None:
    publish("acme/board", {"tag": ["arm/soc@1", "micro/aot"], "mcpu": "cortex-m55"})
    publish("acme/box", {"kind": "composite", "devices": {"a": "acme/board"}})
    data = client.get("/api/v1/dependents/arm/soc").json()
    assert data["next"] is None
    board, box = (row for row in data["results"] if row["tag"].startswith("acme/"))
    assert board == {
        "tag": "acme/board",
        "reference": "acme/board@1.0.0",
        "distance": 1,
        "relation": "inherits",
        "requested": "arm/soc@1",
        "pointer": "",
        "resolved": "arm/soc@1.0.0",
        "status": "active",
        "outdated": False,
    }
    assert box == {
        "tag": "acme/box",
        "reference": "acme/box@1.0.0",
        "distance": 2,
        **dict.fromkeys(("relation", "requested", "pointer", "resolved")),
        "status": "active",
        "outdated": None,
    }


@pytest.mark.usefixtures("acme")
def test_pages_of_dependents_have_every_row_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(6)
    publish("acme/link-3", {"tag": "acme/link-2", "num-cores": 77})
    for path in ("dependents/acme/link-0", "dependents/acme/link-0?versions=all"):
        whole = rows(client, path)
        with monkeypatch.context() as patched:
            patched.setattr(paging, "PAGE", 2)
            assert rows(client, path) == whole
        assert len(whole) == 5 + path.endswith("all")


@pytest.mark.usefixtures("acme")
def test_cursor_of_another_query_is_rejected(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(4)
    monkeypatch.setattr(paging, "PAGE", 1)
    next_url = client.get("/api/v1/dependents/acme/link-0").json()["next"]
    problem(client.get(f"{next_url}&versions=all"), "FILTER_INVALID")
    problem(client.get(next_url.replace("link-0", "link-1")), "FILTER_INVALID")
    problem(client.get(f"{next_url}x"), "FILTER_INVALID")


@pytest.mark.parametrize("query", ["versions=newest", "versions=", "versions=ALL"])
def test_versions_parameter_must_be_all(client: Client, query: str) -> None:
    error = problem(client.get(f"/api/v1/dependents/arm/soc?{query}"), "FILTER_INVALID")
    assert "all" in error["errors"][0]["expected"]


def test_repeated_parameter_is_rejected(client: Client) -> None:
    query = "versions=all&versions=all"
    problem(client.get(f"/api/v1/dependents/arm/soc?{query}"), "REQUEST_INVALID")
