"""Tests of GET kinds and kinds/<kind>."""

import json

import jsonschema_rs
import pytest
from django.test import Client

from registry.services.core import paging, shipped_facts
from tests.api.problems import problem

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_list_has_all_kinds_by_name(client: Client) -> None:
    data = client.get("/api/v1/kinds").json()
    names = [kind["name"] for kind in data["results"]]
    assert names == sorted(shipped_facts.kinds())
    llvm = data["results"][names.index("llvm")]
    assert (llvm["role"], llvm["revision"], llvm["schema"]) == ("target", 1, "/api/v1/kinds/llvm")
    assert {"kind", "mcpu", "num-cores", "keys"} <= set(llvm["options"])


def test_pages_of_kinds_have_every_kind_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "PAGE", 10)
    names: list[str] = []
    next_url = "/api/v1/kinds"
    while next_url:
        data = client.get(next_url).json()
        assert data["body"] == "/api/v1/kinds/body"
        names += [kind["name"] for kind in data["results"]]
        next_url = data["next"]
    assert names == sorted(shipped_facts.kinds())
    assert len(names) > 10


@pytest.mark.parametrize("name", sorted(shipped_facts.kinds()))
def test_every_option_states_its_consumers_and_whether_it_affects_tuning(
    client: Client, name: str
) -> None:
    response = client.get(f"/api/v1/kinds/{name}")
    assert response["Content-Type"] == "application/schema+json"
    schema = response.json()
    jsonschema_rs.Draft202012Validator(schema)
    for option in schema["properties"].values():
        assert option["x-consumers"]
        assert option["x-affects-tuning"] in (True, False, "unknown")


def test_unknown_kind_suggests_similar_ones(client: Client) -> None:
    assert problem(client.get("/api/v1/kinds/cudda"), "KIND_UNKNOWN")["suggestions"][0] == "cuda"


def test_kinds_answer_304(client: Client) -> None:
    etag = client.get("/api/v1/kinds/llvm")["ETag"]
    again = client.get("/api/v1/kinds/llvm", headers={"If-None-Match": etag})
    assert again.status_code == 304


@pytest.fixture
def body_schema(client: Client) -> jsonschema_rs.Validator:
    path = client.get("/api/v1/kinds").json()["body"]
    return jsonschema_rs.Draft202012Validator(json.loads(client.get(path).content))


def test_schema_of_bodies_accepts_the_whole_catalogue(
    body_schema: jsonschema_rs.Validator,
) -> None:
    for tag in shipped_facts.every_tag():
        for version in tag.versions:
            assert body_schema.is_valid(version.body), tag.name


@pytest.mark.parametrize(
    "body",
    [
        "llvm",
        {"kind": "llvm", "num-core": 4},
        {"kind": "llvm", "num-cores": "x"},
        {"kind": "lvm"},
        {"kind": "composite"},
        {"kind": "llvm", "devices": ["llvm"]},
        {"kind": "byoc", "devices": ["llvm"]},
        {"kind": "cuda", "host": {"kind": "llvm", "mcpuu": "x"}},
        {"kind": "llvm", "executor": "aott"},
        {"tag": "nvidia"},
        {"tag": []},
        {"tag": "a/b", "num-core": 4},
        {"num-core": 4},
        {"flow": {"link-params": True}, "kind": "llvm", "hardware": {"corez": 1}},
    ],
)
def test_schema_of_bodies_rejects_invalid_bodies(
    body_schema: jsonschema_rs.Validator, body: object
) -> None:
    assert not body_schema.is_valid(body)


@pytest.mark.parametrize(
    "body",
    [
        {"tag": "a/b", "num-cores": None, "mattr": {"$append": ["+a"], "$remove": ["-b"]}},
        {"tag": ["a/b", "c/d@1"], "host": {"num-cores": 4}, "devices": {"d0": None}},
        {"executor": {"unpacked-api": True}, "runtime": "crt", "libs": {"$append": ["cudnn"]}},
        {"kind": "composite", "devices": ["llvm", "a/b", {"tag": "c/d"}], "host": "a/b@1"},
    ],
)
def test_schema_of_bodies_accepts_patches(
    body_schema: jsonschema_rs.Validator, body: object
) -> None:
    assert body_schema.is_valid(body)
