"""Tests of GET diff/<reference>...<reference>."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.api.problems import problem
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NANO = "nvidia/jetson-nano"


def build_key(reference: str) -> Any:
    return Client().get(f"/api/v1/resolve/{reference}").json()["build_key"]


def test_diff_has_the_documented_shape(client: Client) -> None:
    data = client.get(f"/api/v1/diff/{NANO}@1.0.0...{NANO}@1.1.0").json()
    digests = [data[side].pop("digest") for side in ("old", "new")]
    assert len(set(digests)) == 2
    key = data["tuning_keys"]["new"][0].pop("key")
    assert key.startswith("tk1:")
    (kept,) = data["tuning_keys"].pop("kept")
    assert (kept["count"], kept["old"], kept["new"]) == (1, [""], [""])
    assert data["changes"][0] == {
        "pointer": "/host/kind",
        "old": None,
        "new": {"value": "llvm", "from": f"{NANO}@1.1.0"},
        "consumers": ["codegen"],
        "affects_tuning": True,
    }
    del data["changes"]
    builds = data.pop("build_keys")
    assert builds == {
        "old": build_key(f"{NANO}@1.0.0"),
        "new": build_key(f"{NANO}@1.1.0"),
        "equal": False,
    }
    assert data == {
        "old": {"reference": f"{NANO}@1.0.0", "exact": f"{NANO}@1.0.0", "status": "active"},
        "new": {"reference": f"{NANO}@1.1.0", "exact": f"{NANO}@1.1.0", "status": "active"},
        "bump": "MINOR",
        "tuning_keys": {"lost": [], "new": [{"count": 1, "old": [], "new": ["/host"]}]},
    }


def test_equal_build_keys_are_stated(client: Client) -> None:
    data = client.get(f"/api/v1/diff/{NANO}...{NANO}").json()
    assert data["build_keys"]["equal"]


@pytest.mark.usefixtures("acme")
def test_missing_build_keys_are_not_equal(client: Client) -> None:
    publish("acme/gpu", {"kind": "cuda"})
    data = client.get("/api/v1/diff/acme/gpu...acme/gpu").json()
    assert data["build_keys"] == {"old": None, "new": None, "equal": False}


def test_diff_of_a_version_with_itself_is_empty(client: Client) -> None:
    data = client.get(f"/api/v1/diff/{NANO}...{NANO}@1.1.1").json()
    assert (data["bump"], data["changes"]) == (None, [])
    assert data["tuning_keys"]["lost"] == data["tuning_keys"]["new"] == []
    assert len(data["tuning_keys"]["kept"]) == 2


@pytest.mark.parametrize(
    ("pair", "caching"),
    [
        (f"{NANO}@1.0.0...{NANO}@1.1.0", "public, max-age=300"),
        (f"{NANO}@1.0.0...{NANO}", "public, max-age=0, must-revalidate"),
        (f"{NANO}...{NANO}@1.0.0", "public, max-age=0, must-revalidate"),
        ("nvidia/a100@1.0.0...nvidia/nvidia-a100@1.0.0", "public, max-age=0, must-revalidate"),
    ],
)
def test_cache_control_depends_on_the_reference(client: Client, pair: str, caching: str) -> None:
    response = client.get(f"/api/v1/diff/{pair}")
    assert response["Cache-Control"] == caching
    again = client.get(f"/api/v1/diff/{pair}", headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "pair",
    [
        "",
        "...",
        NANO,
        f"{NANO}...",
        f"...{NANO}",
        f"{NANO}..{NANO}",
        f"{NANO}...{NANO}...{NANO}",
        f"{NANO}......{NANO}",
        f"{NANO}...%00",
        f"{NANO}@x...{NANO}",
        f"{NANO}...NVIDIA/x",
        "a/b..." * 2000,
    ],
)
def test_invalid_pair_states_the_expected_form(client: Client, pair: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        error = problem(client.get(f"/api/v1/diff/{pair}"), "REFERENCE_INVALID")
    assert error["errors"][0]["expected"]
    assert error["detail"].isprintable()
    assert len(captured) <= 8  # for tags that resemble an invalid name


def test_alias_that_ends_in_dots_is_separated_from_them(
    client: Client, acme: object, alice: User
) -> None:
    publish("acme/board", {"kind": "c"})
    aliases.point_alias("acme/so..", Reference.parse("acme/board"), actor=Actor.operator(alice))
    data = client.get("/api/v1/diff/acme/so.....acme/so..@1").json()
    assert (data["old"]["reference"], data["new"]["reference"]) == ("acme/so..", "acme/so..@1")
    assert data["old"]["exact"] == data["new"]["exact"] == "acme/board@1.0.0"


def test_slashes_may_be_percent_encoded(client: Client) -> None:
    pair = f"{NANO}@1.0.0...{NANO}".replace("/", "%2F").replace("@", "%40")
    assert client.get(f"/api/v1/diff/{pair}").status_code == 200


def test_either_side_can_be_unknown(client: Client) -> None:
    problem(client.get(f"/api/v1/diff/{NANO}...nvidia/jetson-nan"), "TAG_UNKNOWN")
    error = problem(client.get(f"/api/v1/diff/{NANO}@9...nvidia/nobody"), "VERSION_UNKNOWN")
    assert error["suggestions"] == [f"{NANO}@1.1.1", f"{NANO}@1.1.0", f"{NANO}@1.0.0"]


def test_unknown_parameter_is_rejected(client: Client) -> None:
    problem(client.get(f"/api/v1/diff/{NANO}...{NANO}?cursor=x"), "REQUEST_INVALID")
