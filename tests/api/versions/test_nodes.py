"""GET resolve/<reference>?node=: one node, closed."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.domain.document import canonical, digest
from tests.api.conftest import Post
from tests.api.problems import problem

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

REFERENCE = "nvidia/jetson-nano:cuda@1.1.0"


def get(client: Client, query: str, reference: str = REFERENCE) -> Any:
    return client.get(f"/api/v1/resolve/{reference}?{query}")


def test_node_is_a_resolution_of_its_own(client: Client) -> None:
    whole = get(client, "").json()
    found = get(client, "node=/host").json()
    assert found["target"] == whole["target"]["host"]
    assert found["tuning_keys"] == {"": whole["tuning_keys"]["/host"]}
    assert found["digest"] == digest(canonical(found["target"]))
    assert found["node"] == {"pointer": "/host", "digest_of_whole": whole["digest"]}
    assert found["lineage"] == whole["lineage"]
    assert found["dependencies"] == []
    assert "node" not in whole


def test_headers_speak_of_the_node(client: Client) -> None:
    response = get(client, "node=/host&format=target", "nvidia/jetson-nano:cuda")
    assert response["Target-Digest"] == digest(response.content)
    assert response["Content-Location"] == f"/api/v1/resolve/{REFERENCE}?format=target&node=/host"
    assert client.get(response["Content-Location"]).content == response.content


def test_exact_node_as_target_is_kept_for_ever(client: Client) -> None:
    assert "immutable" in get(client, "node=/host&format=target")["Cache-Control"]


def test_empty_node_is_the_whole(client: Client) -> None:
    assert get(client, "node=").content == get(client, "").content


@pytest.mark.parametrize("node", ["/", "/hosst", "host", "/host/mcpu", "%00", "/%F0%9F%8E%AF"])
def test_pointer_of_no_node_is_404_with_those_there_are(client: Client, node: str) -> None:
    found = problem(get(client, f"node={node}"), "NODE_UNKNOWN")
    assert found["suggestions"] == ["", "/host"]


@pytest.mark.usefixtures("acme")
def test_dependencies_stand_at_their_place_in_the_node(client: Client, publish: Post) -> None:
    body = {"kind": "composite", "host": "arm/soc", "devices": {"gpu": "nvidia/jetson-nano:cuda"}}
    assert publish("acme/board", body).status_code == 201
    found = get(client, "node=/devices/gpu", "acme/board").json()
    assert [(use["pointer"], use["requested"]) for use in found["dependencies"]] == [
        ("", "nvidia/jetson-nano:cuda")
    ]
    cpu = publish("acme/two", {**body, "devices": {"x": {"kind": "cuda", "arch": "sm_53"}}})
    assert cpu.status_code == 201
    found = get(client, "node=/devices/x", "acme/two").json()
    assert [(use["pointer"], use["requested"]) for use in found["dependencies"]] == [
        ("/host", "arm/soc")
    ]
    assert json.dumps(found["target"]["host"])


def test_no_more_queries_than_the_whole(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        get(client, "node=/host")
