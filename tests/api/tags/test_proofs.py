"""The members `compiles_with` and `proofs` of GET tags/<tag>."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def compilers_of(client: Client, tag: str) -> dict[str, dict[str, Any]]:
    rows = client.get(f"/api/v1/tags/{tag}").json()["compiles_with"]
    return {row["compiler"]: row for row in rows}


def test_the_whole_target_and_each_leaf_have_a_reach(client: Client) -> None:
    tvm = compilers_of(client, "nvidia/jetson-nano:cuda")["tvm"]
    assert tvm["release"].startswith("0.27.")
    assert (tvm["reach"], tvm["reason"]) == ("source", None)
    assert [(node["node"], node["reach"]) for node in tvm["nodes"]] == [
        ("", "source"),
        ("/host", "artefact"),
    ]


def test_a_refusal_has_its_reason(client: Client) -> None:
    iree = compilers_of(client, "nvidia/jetson-nano:cuda")["iree"]
    assert iree["reach"] == "refused"
    assert iree["reason"].startswith("IREE does not support the arch sm_53")


def test_operators_in_c_by_tvm_and_the_whole_model_by_iree(client: Client) -> None:
    compilers = compilers_of(client, "arm/soc:aot")
    assert compilers["tvm"]["reach"] == "refused"
    assert "the runtime crt, which TVM had up to 0.19" in compilers["tvm"]["reason"]
    assert [node["reach"] for node in compilers["tvm"]["nodes"]] == ["source"]
    assert compilers["iree"]["reach"] == "artefact"


def test_every_compiler_builds_an_ordinary_cpu(client: Client) -> None:
    reaches = {name: row["reach"] for name, row in compilers_of(client, "aws/c4.4xlarge").items()}
    assert reaches.keys() == {"tvm", "iree", "clang"}
    assert set(reaches.values()) <= {"run", "artefact"}


def test_steps_of_the_newest_version_are_listed_by_leaf(client: Client) -> None:
    proofs = client.get("/api/v1/tags/nvidia/jetson-nano").json()["proofs"]
    assert [proof["node"] for proof in proofs] == ["", "/host"]
    assert all("tvm-code" in proof["steps"] for proof in proofs)


def test_mixin_has_none(client: Client) -> None:
    answer = client.get("/api/v1/tags/micro/aot").json()
    assert (answer["proofs"], answer["compiles_with"]) == ([], [])
