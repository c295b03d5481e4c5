"""GET resolve/<reference>?format=: every format over HTTP, what it drops, and what is refused."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.api.versions import resolve
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.conftest import Post
from tests.api.problems import places, problem
from tests.publishing import publish as publish_body

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

C4 = "aws/c4.4xlarge"
WRITTEN = sorted(EXPORT_FORMATS.keys() - {"json", "target"})
TEXTS = [name for name in WRITTEN if not EXPORT_FORMATS[name].is_json]
BOARD = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}


def get(client: Client, reference: str = C4, **query: str) -> Any:
    return client.get(f"/api/v1/resolve/{reference}", query)


@pytest.fixture
def board(acme: object) -> str:
    return publish_body("acme/board", BOARD).exact


def test_the_formats_of_the_design_are_there() -> None:
    names = "clang cmake config consumers iree tuning tvm tvm-string"
    assert names.split() == WRITTEN


@pytest.mark.parametrize("name", WRITTEN)
def test_by_name_and_by_media_type_it_is_the_same(client: Client, board: str, name: str) -> None:
    response = get(client, board, format=name)
    assert response.status_code == 200, response.content[:300]
    assert response["Content-Type"] == EXPORT_FORMATS[name].media_type
    by_type = client.get(
        f"/api/v1/resolve/{board}", headers={"Accept": EXPORT_FORMATS[name].media_type}
    )
    assert by_type.content == response.content
    assert by_type["Content-Type"] == response["Content-Type"]


@pytest.mark.parametrize("name", WRITTEN)
def test_headers_say_what_answered(client: Client, board: str, name: str) -> None:
    whole = get(client, board).json()
    response = get(client, board, format=name)
    assert response["Target-Version"] == "1.0.0"
    assert response["Target-Digest"] == whole["digest"]
    assert response["Target-Status"] == "active"
    assert response["Cache-Control"] == "public, max-age=300"
    again = client.get(
        f"/api/v1/resolve/{board}?format={name}", headers={"If-None-Match": response["ETag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize("name", WRITTEN)
def test_a_floating_reference_says_where_the_exact_one_is(client: Client, name: str) -> None:
    response = get(client, "nvidia/jetson-nano:cuda", format=name, node="/host")
    assert response.status_code == 200, response.content[:300]
    assert client.get(response["Content-Location"]).content == response.content


def test_json_has_dropped_among_its_members(client: Client) -> None:
    response = get(client, C4, format="tvm")
    assert [loss["pointer"] for loss in response.json()["dropped"]] == ["/hardware"]
    assert response.json()["dropped"][0]["reason"]
    assert "Target-Dropped" not in response


@pytest.mark.parametrize("name", TEXTS)
def test_text_has_dropped_in_a_header(client: Client, name: str) -> None:
    response = get(client, C4, format=name)
    assert '"/hardware"' in response["Target-Dropped"].split(", ")
    assert "Target-Dropped" in response["Access-Control-Expose-Headers"]


@pytest.mark.usefixtures("acme")
def test_the_header_is_bounded_and_counts_the_rest(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "MOST_NAMED", 2)
    publish_body("acme/much", BOARD | {"model": "x", "libs": ["mkl"], "opt-level": 3})
    response = get(client, "acme/much", format="clang")
    *named, more = response["Target-Dropped"].split(", ")
    assert len(named) == 2
    assert int(more) == 2


@pytest.mark.parametrize("name", WRITTEN)
def test_strict_refuses_what_it_would_drop(client: Client, name: str) -> None:
    response = get(client, C4, format=name)
    dropped = (
        [loss["pointer"] for loss in response.json()["dropped"]]
        if EXPORT_FORMATS[name].is_json
        else [place.strip('"') for place in response["Target-Dropped"].split(", ")]
    )
    strict = get(client, C4, format=name, strict="1")
    if not dropped:
        assert strict.content == response.content
        return
    found = problem(strict, "FORMAT_LOSSY")
    assert places(found) == [(pointer, "FORMAT_LOSSY") for pointer in dropped]
    assert name in found["detail"]


def test_strict_lets_whole_answers_through(client: Client, board: str) -> None:
    for name in ("json", "target", "tvm", "tvm-string"):
        assert get(client, board, format=name, strict="1").status_code == 200, name


def test_strict_stays_in_the_exact_address(client: Client) -> None:
    response = get(client, "arm/soc", format="tvm", strict="1", record="1")
    assert response["Content-Location"] == (
        "/api/v1/resolve/arm/soc@1.0.0?format=tvm&record=1&strict=1"
    )


def test_a_node_of_a_composite_is_written_alone(client: Client) -> None:
    reference = "example/two-machines"
    problem(get(client, reference, format="tvm-string"), "FORMAT_UNFIT")
    one = get(client, reference, format="tvm-string", node="/devices/machine0/host")
    assert one.content.startswith(b"llvm ")


def test_record_says_where_nodes_come_from(client: Client) -> None:
    response = get(client, "example/two-machines", format="tvm", record="1")
    found = response.json()["target"]
    assert found["tag"] == f"example/two-machines@{response['Target-Version']}"
    machine = found["devices"][0]
    assert machine["host"]["tag"].startswith("aws/c4.8xlarge@")
    plain = get(client, "example/two-machines", format="tvm").json()["target"]
    assert "tag" not in plain
    assert "tag" not in plain["devices"][0]["host"]


@pytest.mark.parametrize("name", ["json", "target", "clang"])
def test_record_is_refused_where_there_is_no_place_for_it(client: Client, name: str) -> None:
    found = problem(get(client, C4, format=name, record="1"), "FORMAT_UNFIT")
    assert "tvm" in found["detail"]


@pytest.mark.parametrize("value", ["yes", "true", "", "2"])
@pytest.mark.parametrize("name", ["strict", "record"])
def test_switches_are_1_or_0(client: Client, name: str, value: str) -> None:
    query = {"format": "tvm", name: value}
    found = problem(get(client, C4, **query), "REQUEST_INVALID")
    assert found["errors"][0]["expected"] == "1 or 0"
    assert get(client, C4, **(query | {name: "0"})).status_code == 200


@pytest.mark.parametrize("name", WRITTEN)
def test_a_mixin_is_no_target(client: Client, name: str) -> None:
    problem(get(client, "micro/aot", format=name), "NOT_A_TARGET")


@pytest.mark.parametrize("name", TEXTS)
def test_in_a_batch_text_stands_beside_what_it_drops(post: Post, client: Client, name: str) -> None:
    references = [C4, "aws/nothing", "micro/aot"]
    response = post("resolve", {"references": references, "format": name})
    first, unknown, mixin = response.json()["results"]
    alone = get(client, C4, format=name)
    assert first["text"] == alone.content.decode()
    places = ", ".join(f'"{loss["pointer"]}"' for loss in first["dropped"])
    assert places == alone["Target-Dropped"]
    assert [unknown["code"], mixin["code"]] == ["TAG_UNKNOWN", "NOT_A_TARGET"]


def test_a_batch_can_be_strict_and_recorded(post: Post) -> None:
    said = {"references": [C4, "arm/soc"], "format": "tvm", "strict": True, "record": True}
    lossy, whole = post("resolve", said).json()["results"]
    assert lossy["code"] == "FORMAT_LOSSY"
    assert whole["target"]["tag"] == "arm/soc@1.0.0"
    problem(post("resolve", said | {"strict": "yes"}), "REQUEST_INVALID")
    problem(post("resolve", said | {"format": "clang"}), "FORMAT_UNFIT")


def test_json_in_a_batch_is_what_one_request_answers(post: Post, client: Client) -> None:
    response = post("resolve", {"references": [C4], "format": "consumers"})
    assert response.json()["results"] == [json.loads(get(client, C4, format="consumers").content)]
