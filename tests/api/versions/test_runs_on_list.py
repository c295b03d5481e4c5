"""Tests of GET runs-on/<reference>?direction=."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from registry.services.versions import relevant_parts, runners
from tests.api.problems import problem
from tests.people import make_acme, make_alice
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LINUX = "x86_64-unknown-linux-gnu"
PATH = "/api/v1/runs-on/acme/code"


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    names = {
        "code": "haswell",
        "old": "nehalem",
        "new": "znver4",
        "aged": "znver1",
        "same": "haswell",
    }
    for name, mcpu in names.items():
        body = {"kind": "llvm", "mtriple": LINUX, "mcpu": mcpu, "hardware": {"vendor": name}}
        publish(f"acme/{name}", body)
    publish("acme/level", {"kind": "llvm", "mtriple": LINUX, "mcpu": "x86-64"})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_80"})
    actor = Actor.operator(make_alice())
    deprecation.deprecate(Tag.parse("acme/aged"), reason="sold out", actor=actor)


def names(client: Client, query: str) -> list[str]:
    data = client.get(f"{PATH}?namespace=acme&{query}").json()
    assert data["next"] is None
    return [row["tag"].removeprefix("acme/") for row in data["results"]]


def test_machines_run_the_code(client: Client) -> None:
    assert names(client, "direction=machines") == ["code", "new", "same"]


def test_targets_are_those_whose_code_runs(client: Client) -> None:
    assert names(client, "direction=targets") == ["code", "level", "old", "same"]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("no", ["old"]), ("unknown", ["gpu", "level"]), ("conditional", [])],
)
def test_other_verdicts_are_asked_for(client: Client, verdict: str, expected: list[str]) -> None:
    assert names(client, f"direction=machines&verdict={verdict}") == expected


def test_deprecated_tags_are_left_out_unless_asked_for(client: Client) -> None:
    assert "aged" not in names(client, "direction=machines")
    assert "aged" in names(client, "direction=machines&status=any")


def test_filters_are_those_of_the_list_of_tags(client: Client) -> None:
    assert names(client, "direction=machines&vendor=new") == ["new"]
    assert names(client, "direction=machines&where=/mcpu=haswell") == ["code", "same"]


def test_facts_that_a_tag_does_not_state_are_null_as_in_the_list_of_tags(client: Client) -> None:
    listed = client.get("/api/v1/tags?namespace=acme&status=any").json()["results"]
    facts = {row["tag"]: [row["kind"], row["vendor"], row["arch"]] for row in listed}
    for verdict in ("yes", "unknown"):
        query = f"direction=machines&verdict={verdict}&namespace=acme"
        for row in client.get(f"{PATH}?{query}").json()["results"]:
            assert [row["kind"], row["vendor"], row["arch"]] == facts[row["tag"]]
    assert facts["acme/level"] == ["llvm", None, "x86_64"]


def test_a_row_has_the_verdict_and_its_reason(client: Client) -> None:
    data = client.get(f"{PATH}?direction=machines&verdict=no&namespace=acme").json()
    (row,) = data["results"]
    assert data["reference"] == "acme/code@1.0.0"
    assert (row["reference"], row["verdict"]) == ("acme/old@1.0.0", "no")
    assert "which nehalem does not have." in row["reason"]


def test_pages_have_each_tag_once(client: Client) -> None:
    url, tags = f"{PATH}?direction=targets&namespace=acme&limit=1", []
    while url:
        data = client.get(url).json()
        tags += [row["tag"] for row in data["results"]]
        url = data["next"]
    assert tags == ["acme/code", "acme/level", "acme/old", "acme/same"]


def test_a_page_ends_where_enough_tags_were_judged(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "MAX_JUDGED", 2)
    url, tags, pages = f"{PATH}?direction=targets&namespace=acme", [], 0
    while url:
        data = client.get(url).json()
        tags += [row["tag"] for row in data["results"]]
        assert data["judged"] <= 2
        url, pages = data["next"], pages + 1
    assert (tags, pages) == (["acme/code", "acme/level", "acme/old", "acme/same"], 3)


def test_processes_forget_what_they_have_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relevant_parts, "MAX_REMEMBERED", 1)
    assert names(client, "direction=machines") == names(client, "direction=machines")


def test_a_list_takes_four_queries_once_targets_are_read(client: Client) -> None:
    client.get(f"{PATH}?direction=machines")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{PATH}?direction=machines")
    assert len([each for each in queries if "SELECT" in each["sql"]]) <= 4


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "FILTER_INVALID"),
        ("direction=up", "FILTER_INVALID"),
        ("direction=machines&verdict=maybe", "FILTER_INVALID"),
        ("direction=machines&q=haswell", "REQUEST_INVALID"),
        ("direction=machines&sort=used", "REQUEST_INVALID"),
        ("direction=machines&limit=0", "FILTER_INVALID"),
        ("direction=machines&cursor=x", "FILTER_INVALID"),
        ("direction=machines&namespace=nothing", "NAMESPACE_UNKNOWN"),
        ("direction=machines&driver=new", "REQUEST_INVALID"),
        ("direction=machines&vendor=nvidia", "FILTER_INVALID"),
        ("direction=machines&arch=SM_90", "FILTER_INVALID"),
        ("direction=machines&family=nothing", "FILTER_INVALID"),
        ("direction=machines&cores_min=9&cores_max=8", "FILTER_INVALID"),
        ("direction=machines&direction=targets", "REQUEST_INVALID"),
        ("direction=machines&driver=450&driver=570", "REQUEST_INVALID"),
    ],
)
def test_bad_lists_are_refused(client: Client, query: str, code: str) -> None:
    problem(client.get(f"{PATH}?{query}"), code)


def test_an_unknown_reference_is_refused(client: Client) -> None:
    response: Any = client.get("/api/v1/runs-on/acme/nothing?direction=machines")
    problem(response, "TAG_UNKNOWN")
