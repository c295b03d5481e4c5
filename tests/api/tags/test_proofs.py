"""The member `proofs` of GET tags/<tag>."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_steps_of_the_newest_version_are_listed_by_leaf(client: Client) -> None:
    proofs = client.get("/api/v1/tags/nvidia/jetson-nano").json()["proofs"]
    assert [proof["node"] for proof in proofs] == ["", "/host"]
    assert all("tvm-code" in proof["steps"] for proof in proofs)


def test_mixin_has_none(client: Client) -> None:
    assert client.get("/api/v1/tags/micro/aot").json()["proofs"] == []
