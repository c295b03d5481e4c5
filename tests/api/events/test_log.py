"""The log over HTTP: as files that any client can verify."""

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from registry.domain.event_log.notes import Checkpoint
from registry.models import Event, LogKey
from registry.services.event_log import checkpoints, tree_hashes
from tests.api.problems import problem
from tests.log_proofs import Log
from tests.publishing import chain, yank

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, **headers: str) -> Any:
    return client.get(f"/api/v1/log/{path}", headers=headers)


def test_versions_that_resolve_are_proven_by_the_log(client: Client) -> None:
    """Over HTTP alone: a resolution, its leaf, the path to the root, and its signature."""
    log = Log.open(lambda path: get(client, path).content)
    for reference in ("arm/soc:aot", "nvidia/jetson-nano@1", "aws/c4.4xlarge"):
        answer = client.get(f"/api/v1/resolve/{reference}").json()
        leaf = log.event(answer["event"])
        assert leaf["action"] == "version.published"
        for member in ("tag", "version", "digest"):
            assert leaf[member] == answer[member]


@pytest.mark.usefixtures("acme")
def test_event_of_a_version_stays_when_it_is_yanked(client: Client) -> None:
    exact = f"{chain(1)}@1.0.0"
    before = client.get(f"/api/v1/resolve/{exact}").json()["event"]
    published = Event.objects.get(number=before)
    assert (published.action, published.subject) == ("version.published", exact)
    yank(exact)
    results = client.post(
        "/api/v1/resolve", {"references": [exact]}, content_type="application/json"
    ).json()["results"]
    assert [result["event"] for result in results] == [before]
    answer = client.get(f"/api/v1/resolve/{exact}").json()
    assert (answer["status"], answer["event"]) == ("yanked", before)


def test_checkpoint_is_text_that_caches_must_ask_for(client: Client) -> None:
    response = get(client, "checkpoint")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response.content.decode() == checkpoints.newest().note
    checkpoint = Checkpoint.parse(response.content.decode())
    assert (checkpoint.origin, checkpoint.size) == (
        settings.LOG_ORIGIN,
        Event.objects.latest("number").number,
    )
    again = get(client, "checkpoint", if_none_match=response["ETag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("tile/0/000", "public, max-age=31536000, immutable"),
        ("tile/entries/001", "public, max-age=31536000, immutable"),
        ("tile/0/000.p/9", "public, max-age=300"),
        ("tile/entries/000.p/9", "public, max-age=300"),
    ],
)
def test_full_tiles_are_immutable(client: Client, path: str, policy: str) -> None:
    response = get(client, path)
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Cache-Control"] == policy


@pytest.mark.parametrize("path", ["checkpoint", "keys", "tile/0/000", "tile/entries/000.p/3"])
def test_head_has_the_headers_of_get(client: Client, path: str) -> None:
    with_body, without = get(client, path), client.head(f"/api/v1/log/{path}")
    assert (without.status_code, without.content) == (200, b"")
    for name in ("ETag", "Cache-Control", "Content-Type"):
        assert without[name] == with_body[name]


def test_keys_name_the_origin(client: Client) -> None:
    response = get(client, "keys")
    row = LogKey.objects.get()
    assert response.json() == {
        "origin": settings.LOG_ORIGIN,
        "keys": [{"key": row.key, "since": 0, "endorsement": None}],
        "forks": [],
    }


@pytest.mark.parametrize(
    "path", ["tile/0/x999/999", "tile/7/000", "tile/0/000.p/256", "tile/", "tile/0/000/", "tile/x"]
)
def test_unknown_tile_is_a_problem(client: Client, path: str) -> None:
    response = get(client, path)
    assert problem(response, "TILE_UNKNOWN")["detail"].startswith("There is no tile ")


def test_tile_beyond_the_committed_size_is_unknown(client: Client) -> None:
    size = tree_hashes.current_range().size
    path = f"tile/entries/{size // 256:0>3}.p/{size % 256 + 1}"
    assert f"the log has {size} events" in problem(get(client, path), "TILE_UNKNOWN")["detail"]


def test_server_without_the_key_serves_all_but_the_checkpoint(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", None)
    response = get(client, "checkpoint")
    assert response["Retry-After"] == "60"
    assert "REGISTRY_LOG_KEY" in problem(response, "LOG_UNAVAILABLE")["detail"]
    assert get(client, "tile/0/000").status_code == 200
    assert get(client, "keys").status_code == 200
    assert client.get("/api/v1/resolve/arm/soc").status_code == 200
    ready = client.get("/readyz")
    assert ready.status_code == 503
    assert "REGISTRY_LOG_KEY" in json.loads(ready.content)["problems"][0]


def test_unknown_parameter_is_rejected(client: Client) -> None:
    assert get(client, "checkpoint?size=3").status_code == 400
