"""Tests of GET resolve/<reference>?node=."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.domain.document import canonical, digest
from tests.api.conftest import Post
from tests.api.problems import problem

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

REFERENCE = "nvidia/jetson-nano:cuda@1.2.0"


def get(client: Client, query: str, reference: str = REFERENCE) -> Any:
    return client.get(f"/api/v1/resolve/{reference}?{query}")


def test_node_has_a_resolution(client: Client) -> None:
    whole = get(client, "").json()
    data = get(client, "node=/host").json()
    executor, runtime = whole["target"]["executor"], whole["target"]["runtime"]
    assert data["target"] == whole["target"]["host"] | {"executor": executor, "runtime": runtime}
    assert data["tuning_keys"] == {"": whole["tuning_keys"]["/host"]}
    assert data["digest"] == digest(canonical(data["target"]))
    assert data["node"] == {"pointer": "/host", "digest_of_whole": whole["digest"]}
    assert data["lineage"] == whole["lineage"]
    assert data["dependencies"] == []
    assert "node" not in whole


def test_headers_describe_the_node(client: Client) -> None:
    response = get(client, "node=/host&format=target", "nvidia/jetson-nano:cuda")
    assert response["Target-Digest"] == digest(response.content)
    assert response["Content-Location"] == f"/api/v1/resolve/{REFERENCE}?format=target&node=/host"
    assert client.get(response["Content-Location"]).content == response.content


def test_exact_node_as_target_is_cached_forever(client: Client) -> None:
    assert "immutable" in get(client, "node=/host&format=target")["Cache-Control"]


def test_empty_node_is_the_whole_target(client: Client) -> None:
    assert get(client, "node=").content == get(client, "").content


@pytest.mark.parametrize("node", ["/", "/hosst", "host", "/host/mcpu", "%00", "/%F0%9F%8E%AF"])
def test_unknown_node_suggests_the_existing_ones(client: Client, node: str) -> None:
    error = problem(get(client, f"node={node}"), "NODE_UNKNOWN")
    assert sorted(error["suggestions"]) == ["", "/host"]


@pytest.mark.usefixtures("acme")
def test_dependencies_have_pointers_within_the_node(client: Client, publish: Post) -> None:
    body = {"kind": "composite", "host": "arm/soc", "devices": {"gpu": "nvidia/jetson-nano:cuda"}}
    assert publish("acme/board", body).status_code == 201
    data = get(client, "node=/devices/gpu", "acme/board").json()
    assert [(use["pointer"], use["requested"]) for use in data["dependencies"]] == [
        ("", "nvidia/jetson-nano:cuda")
    ]
    cpu = publish("acme/two", {**body, "devices": {"x": {"kind": "cuda", "arch": "sm_53"}}})
    assert cpu.status_code == 201
    data = get(client, "node=/devices/x", "acme/two").json()
    assert [(use["pointer"], use["requested"]) for use in data["dependencies"]] == [
        ("/host", "arm/soc")
    ]
    assert json.dumps(data["target"]["host"])


def test_node_takes_one_more_query_than_the_target_for_its_kinds(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(3):
        get(client, "node=/host")
