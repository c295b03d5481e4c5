"""Tests of GET resolve/<reference>?format=: formats, dropped members and errors."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.api.versions import resolve
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import publish as publish_body

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

C4 = "aws/c4.4xlarge"
WRITTEN = sorted(EXPORT_FORMATS.keys() - {"json", "target"})
TEXTS = [name for name in WRITTEN if not EXPORT_FORMATS[name].is_json]
# For formats that describe GPUs.
GPUS = {"nvcc": {"kind": "cuda", "arch": "sm_87"}, "hipcc": {"kind": "rocm", "mcpu": "gfx90a"}}
BOARD = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}


def get(client: Client, reference: str = C4, **query: str) -> Any:
    return client.get(f"/api/v1/resolve/{reference}", query)


@pytest.fixture
def board(acme: object) -> str:
    return publish_body("acme/board", BOARD).exact


@pytest.fixture
def published(acme: object, name: str) -> str:
    """Return a version with what a format describes."""
    return publish_body("acme/board", GPUS.get(name, BOARD)).exact


@pytest.fixture
def lossy(acme: object, name: str) -> str:
    """Return a version of which a format describes a part."""
    if name not in GPUS:
        return C4
    return publish_body("acme/gpu", GPUS[name] | {"hardware": {"vendor": "Example"}}).exact


def test_all_documented_formats_exist() -> None:
    compilers = {"clang", "cmake", "config", "hipcc", "iree", "nvcc", "tvm", "tvm-string"}
    others = {"archspec", "conda", "consumers", "tuning", "wheel-variant"}
    assert compilers | others == {*WRITTEN}


@pytest.mark.parametrize("name", WRITTEN)
def test_name_and_media_type_select_the_same_format(
    client: Client, published: str, name: str
) -> None:
    response = get(client, published, format=name)
    assert response.status_code == 200, response.content[:300]
    assert response["Content-Type"] == EXPORT_FORMATS[name].media_type
    by_type = client.get(
        f"/api/v1/resolve/{published}", headers={"Accept": EXPORT_FORMATS[name].media_type}
    )
    assert by_type.content == response.content
    assert by_type["Content-Type"] == response["Content-Type"]


@pytest.mark.parametrize("name", WRITTEN)
def test_headers_identify_the_resolved_version(client: Client, published: str, name: str) -> None:
    whole = get(client, published).json()
    response = get(client, published, format=name)
    assert response["Target-Version"] == "1.0.0"
    assert response["Target-Digest"] == whole["digest"]
    assert response["Target-Build-Key"] == whole["build_key"]
    assert response["Target-Status"] == "active"
    assert response["Cache-Control"] == "public, max-age=300"
    again = client.get(
        f"/api/v1/resolve/{published}?format={name}", headers={"If-None-Match": response["ETag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize("name", WRITTEN)
def test_floating_reference_has_the_exact_one_in_content_location(
    client: Client, lossy: str, name: str
) -> None:
    reference = lossy.partition("@")[0] if name in GPUS else "nvidia/jetson-nano:cuda"
    node = "" if name in GPUS else "/host"
    response = get(client, reference, format=name, node=node)
    assert response.status_code == 200, response.content[:300]
    assert client.get(response["Content-Location"]).content == response.content


def test_json_format_lists_dropped_as_a_member(client: Client) -> None:
    response = get(client, C4, format="tvm")
    assert [loss["pointer"] for loss in response.json()["dropped"]] == ["/hardware"]
    assert response.json()["dropped"][0]["reason"]
    assert "Target-Dropped" not in response


@pytest.mark.parametrize("name", TEXTS)
def test_text_format_lists_dropped_in_a_header(client: Client, lossy: str, name: str) -> None:
    response = get(client, lossy, format=name)
    assert '"/hardware"' in response["Target-Dropped"].split(", ")
    assert "Target-Dropped" in response["Access-Control-Expose-Headers"]


@pytest.mark.usefixtures("acme")
def test_dropped_header_is_bounded_and_counts_the_rest(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "MAX_DROPPED", 2)
    publish_body("acme/much", BOARD | {"model": "x", "libs": ["mkl"], "opt-level": 3})
    response = get(client, "acme/much", format="clang")
    *named, more = response["Target-Dropped"].split(", ")
    assert len(named) == 2
    assert int(more) == 2


@pytest.mark.parametrize("name", WRITTEN)
def test_strict_rejects_what_would_be_dropped(client: Client, lossy: str, name: str) -> None:
    response = get(client, lossy, format=name)
    dropped = (
        [loss["pointer"] for loss in response.json()["dropped"]]
        if EXPORT_FORMATS[name].is_json
        else [place.strip('"') for place in response["Target-Dropped"].split(", ")]
    )
    strict = get(client, lossy, format=name, strict="1")
    if not dropped:
        assert strict.content == response.content
        return
    error = problem(strict, "FORMAT_LOSSY")
    assert error_positions(error) == [(pointer, "FORMAT_LOSSY") for pointer in dropped]
    assert name in error["detail"]


def test_strict_accepts_complete_exports(client: Client, board: str) -> None:
    for name in ("json", "target", "tvm", "tvm-string"):
        assert get(client, board, format=name, strict="1").status_code == 200, name


def test_strict_is_part_of_content_location(client: Client) -> None:
    response = get(client, "arm/soc", format="tvm", strict="1", record="1")
    assert response["Content-Location"] == (
        "/api/v1/resolve/arm/soc@1.0.0?format=tvm&record=1&strict=1"
    )


def test_node_of_a_composite_is_exported_alone(client: Client) -> None:
    reference = "example/two-machines"
    problem(get(client, reference, format="tvm-string"), "FORMAT_UNFIT")
    one = get(client, reference, format="tvm-string", node="/devices/machine0/host")
    assert one.content.startswith(b"llvm ")


def test_record_states_the_version_of_each_node(client: Client) -> None:
    response = get(client, "example/two-machines", format="tvm", record="1")
    result = response.json()["target"]
    assert result["tag"] == f"example/two-machines@{response['Target-Version']}"
    machine = result["devices"][0]
    assert machine["host"]["tag"].startswith("aws/c4.8xlarge@")
    plain = get(client, "example/two-machines", format="tvm").json()["target"]
    assert "tag" not in plain
    assert "tag" not in plain["devices"][0]["host"]


@pytest.mark.parametrize("name", ["json", "target", "clang"])
def test_record_is_rejected_by_formats_without_it(client: Client, name: str) -> None:
    error = problem(get(client, C4, format=name, record="1"), "FORMAT_UNFIT")
    assert "tvm" in error["detail"]


@pytest.mark.parametrize("value", ["yes", "true", "", "2"])
@pytest.mark.parametrize("name", ["strict", "record"])
def test_switches_are_1_or_0(client: Client, name: str, value: str) -> None:
    query = {"format": "tvm", name: value}
    error = problem(get(client, C4, **query), "REQUEST_INVALID")
    assert error["errors"][0]["expected"] == "one of 0, 1"
    assert get(client, C4, **(query | {name: "0"})).status_code == 200


@pytest.mark.parametrize("name", WRITTEN)
def test_mixin_is_not_a_target(client: Client, name: str) -> None:
    problem(get(client, "micro/aot", format=name), "NOT_A_TARGET")


@pytest.mark.parametrize("name", TEXTS)
def test_batch_returns_text_with_its_dropped_members(
    post: Post, client: Client, lossy: str, name: str
) -> None:
    references = [lossy, "aws/nothing", "micro/aot"]
    response = post("resolve", {"references": references, "format": name})
    first, unknown, mixin = response.json()["results"]
    alone = get(client, lossy, format=name)
    assert first["text"] == alone.content.decode()
    header = ", ".join(f'"{loss["pointer"]}"' for loss in first["dropped"])
    assert header == alone["Target-Dropped"]
    assert [unknown["code"], mixin["code"]] == ["TAG_UNKNOWN", "NOT_A_TARGET"]


def test_batch_accepts_strict_and_record(post: Post) -> None:
    payload = {"references": [C4, "arm/soc"], "format": "tvm", "strict": True, "record": True}
    lossy, whole = post("resolve", payload).json()["results"]
    assert lossy["code"] == "FORMAT_LOSSY"
    assert whole["target"]["tag"] == "arm/soc@1.0.0"
    problem(post("resolve", payload | {"strict": "yes"}), "REQUEST_INVALID")
    problem(post("resolve", payload | {"format": "clang"}), "FORMAT_UNFIT")


def test_json_in_a_batch_equals_a_single_response(post: Post, client: Client) -> None:
    response = post("resolve", {"references": [C4], "format": "consumers"})
    assert response.json()["results"] == [json.loads(get(client, C4, format="consumers").content)]
