"""Tests of POST baseline."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.compatibility.baseline.baseline import MAX_MACHINES
from tests.api.problems import problem
from tests.people import make_acme
from tests.publishing import publish

pytestmark = pytest.mark.django_db

LINUX = "x86_64-unknown-linux-gnu"


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    for name, mcpu in {"old": "haswell", "new": "znver4", "wide": "skylake-avx512"}.items():
        publish(f"acme/{name}", {"kind": "llvm", "mtriple": LINUX, "mcpu": mcpu})
    arm = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "neoverse-n1"}
    publish("acme/arm", arm)
    publish("acme/patch", {"executor": "aot"})


def ask(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/baseline", body, content_type="application/json")


def test_one_build_has_what_all_machines_have(client: Client) -> None:
    response = ask(client, machines=["acme/old", "acme/new", "acme/wide@1"])
    assert response["Cache-Control"] == "no-store"
    data = response.json()
    (build,) = data["builds"]
    assert build["target"] == {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
    assert build["machines"] == ["acme/old@1.0.0", "acme/new@1.0.0", "acme/wide@1.0.0"]
    texts = [(loss["text"], loss["machines"]) for loss in build["losses"]]
    assert texts[0][0].startswith("AVX-512 (avx512f, ")
    assert [machines for _, machines in texts] == [["acme/new@1.0.0"], ["acme/wide@1.0.0"]]
    assert data["loss"] == sum(len(loss["features"]) for loss in build["losses"])
    assert data["optimal"] is True


def test_more_builds_lose_less(client: Client) -> None:
    machines = ["acme/old", "acme/new", "acme/wide"]
    losses = [ask(client, machines=machines, builds=count).json()["loss"] for count in (1, 2, 3)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == 0


def test_machines_of_two_systems_take_two_builds(client: Client) -> None:
    (error,) = problem(ask(client, machines=["acme/old", "acme/arm"]), "REQUEST_INVALID")["errors"]
    assert (error["pointer"], error["expected"]) == ("/builds", "at least 2")
    assert len(ask(client, machines=["acme/old", "acme/arm"], builds=2).json()["builds"]) == 2


def test_a_machine_that_is_named_twice_counts_twice(client: Client) -> None:
    once = ask(client, machines=["acme/old", "acme/new"]).json()
    twice = ask(client, machines=["acme/old", "acme/new", "acme/new"]).json()
    assert twice["loss"] == 2 * once["loss"]


@pytest.mark.parametrize(
    ("body", "code", "pointers"),
    [
        ({}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": []}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": "acme/old"}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": ["acme/old", "x", "y"]}, "REQUEST_INVALID", ["/machines/1", "/machines/2"]),
        ({"machines": ["acme/old"], "builds": 9}, "REQUEST_INVALID", ["/builds"]),
        ({"machines": ["acme/old"], "builds": 0}, "REQUEST_INVALID", ["/builds"]),
        ({"machines": ["acme/old", "acme/patch"]}, "REQUEST_INVALID", ["/machines/1"]),
        ({"machines": ["acme/old"] * (MAX_MACHINES + 1)}, "TOO_LARGE", ["/machines"]),
    ],
)
def test_bad_fleets_are_refused(
    client: Client, body: dict[str, Any], code: str, pointers: list[str]
) -> None:
    errors = problem(ask(client, **body), code)["errors"]
    assert [error["pointer"] for error in errors] == pointers


def test_unknown_machines_are_refused(client: Client) -> None:
    problem(ask(client, machines=["acme/old", "acme/nothing"]), "TAG_UNKNOWN")


@pytest.mark.parametrize("count", [1, 300])
def test_a_fleet_takes_three_queries(client: Client, count: int) -> None:
    with CaptureQueriesContext(connection) as queries:
        ask(client, machines=["acme/old", *["acme/new"] * count])
    assert len(queries) <= 3
