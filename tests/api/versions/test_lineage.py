"""GET lineage/<reference>, dependents/<reference>."""

from typing import Any

import pytest
from django.test import Client

from registry.services.core import paging
from registry.services.versions import lineages
from tests.api.problems import problem
from tests.publishing import chain, publish

pytestmark = pytest.mark.django_db


def rows(client: Client, path: str) -> list[dict[str, Any]]:
    """All rows of a list, page by page."""
    found: list[dict[str, Any]] = []
    following: str | None = f"/api/v1/{path}"
    while following:
        response = client.get(following)
        assert response.status_code == 200
        page = response.json()
        found += page["results"]
        following = page["next"]
    return found


def test_a_lineage_has_the_designed_shape(client: Client) -> None:
    found = client.get("/api/v1/lineage/arm/soc:aot").json()
    assert found["next"] is None
    itself, soc, aot = found["results"]
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


def test_uses_are_those_of_the_resolution(client: Client) -> None:
    resolved = client.get("/api/v1/resolve/nvidia/jetson-nano:cuda").json()
    found = client.get("/api/v1/lineage/nvidia/jetson-nano:cuda").json()["results"]
    assert found[0]["uses"] == resolved["dependencies"]
    assert [row["reference"] for row in found[1:]] == resolved["lineage"]


@pytest.mark.usefixtures("acme")
def test_pages_of_a_lineage_follow_each_other(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = chain(7)
    whole = rows(client, f"lineage/{last}")
    monkeypatch.setattr(lineages, "PAGE", 3)
    assert rows(client, f"lineage/{last}") == whole
    assert [row["distance"] for row in whole] == list(range(7))


@pytest.mark.usefixtures("acme")
def test_dependents_have_the_designed_shape(client: Client) -> None:
    publish("acme/board", {"tag": ["arm/soc@1", "micro/aot"], "mcpu": "cortex-m55"})
    publish("acme/box", {"kind": "composite", "devices": {"a": "acme/board"}})
    found = client.get("/api/v1/dependents/arm/soc").json()
    assert found["next"] is None
    board, box = (row for row in found["results"] if row["tag"].startswith("acme/"))
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
def test_pages_of_dependents_follow_each_other(
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
def test_a_cursor_fits_its_own_question_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(4)
    monkeypatch.setattr(paging, "PAGE", 1)
    following = client.get("/api/v1/dependents/acme/link-0").json()["next"]
    problem(client.get(f"{following}&versions=all"), "FILTER_INVALID")
    problem(client.get(following.replace("link-0", "link-1")), "FILTER_INVALID")
    problem(client.get(f"{following}x"), "FILTER_INVALID")


@pytest.mark.parametrize("query", ["versions=newest", "versions=", "versions=ALL"])
def test_versions_are_all_or_not_said(client: Client, query: str) -> None:
    found = problem(client.get(f"/api/v1/dependents/arm/soc?{query}"), "FILTER_INVALID")
    assert "all" in found["errors"][0]["expected"]


def test_a_parameter_is_given_once(client: Client) -> None:
    query = "versions=all&versions=all"
    problem(client.get(f"/api/v1/dependents/arm/soc?{query}"), "REQUEST_INVALID")
