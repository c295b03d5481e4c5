"""GET resolve/<reference>."""

import hashlib
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Version
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.problems import problem
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

TARGET_TYPE = "application/vnd.target-tag-registry.target+json"
SOC = "/api/v1/resolve/arm/soc:aot"


def test_resolution_has_the_designed_shape(client: Client) -> None:
    found = client.get(SOC).json()
    digest = found.pop("digest")
    published = found.pop("published")
    (key,) = found.pop("tuning_keys").values()
    assert digest.startswith("sha256:")
    assert key.startswith("tk1:")
    assert published.endswith("Z")
    assert found == {
        "reference": "arm/soc:aot",
        "tag": "arm/soc:aot",
        "version": "1.0.0",
        "status": "active",
        "target": {
            "kind": "c",
            "keys": ["arm_cpu", "cpu"],
            "mcpu": "cortex-m7",
            "model": "arm-soc",
            "executor": {"kind": "aot", "interface-api": "c", "unpacked-api": True},
            "runtime": {"kind": "crt"},
        },
        "lineage": ["arm/soc@1.0.0", "micro/aot@1.0.0"],
        "dependencies": [
            {
                "pointer": "",
                "requested": "arm/soc@1",
                "resolved": "arm/soc@1.0.0",
                "relation": "inherits",
            },
            {
                "pointer": "",
                "requested": "micro/aot@1",
                "resolved": "micro/aot@1.0.0",
                "relation": "inherits",
            },
        ],
        "warnings": [],
    }


FRACTION = {"kind": "llvm", "mcpu": "cortex-a72", "hardware": {"power_watts": 1e-7}}


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("tag", ["acme/board", "acme/child", "acme/patch", "acme/pair"])
def test_stored_json_is_answered_byte_for_byte(client: Client, tag: str) -> None:
    publish("acme/board", FRACTION)
    publish("acme/child", {"tag": "acme/board", "model": "Kind"})
    publish("acme/patch", {"executor": "aot"})
    publish("acme/pair", {"kind": "composite", "devices": ["acme/board", "acme/child"]})
    version = Version.objects.get(tag__text=tag)
    stored = (
        f'"target":{version.target},"tuning_keys":{version.tuning_keys},'
        f'"lineage":{version.lineage},"dependencies":{version.dependencies},"warnings":[]}}'
    )
    one = client.get(f"/api/v1/resolve/{tag}").content
    assert one.endswith(stored.encode())
    sent = json.dumps({"references": [tag, tag]})
    two = client.post("/api/v1/resolve", sent, "application/json").content
    assert two == b'{"results":[' + one + b"," + one + b"]}"
    lineage = client.get(f"/api/v1/lineage/{tag}").content
    assert f'"uses":{version.dependencies}'.encode() in lineage


def test_members_stand_in_order(client: Client) -> None:
    found = client.get(SOC).json()
    assert list(found) == [
        "reference",
        "tag",
        "version",
        "digest",
        "published",
        "status",
        "target",
        "tuning_keys",
        "lineage",
        "dependencies",
        "warnings",
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["published"])


def test_two_queries(client: Client) -> None:
    with CaptureQueriesContext(connection) as captured:
        client.get(SOC)
    assert len(captured) == 2


def test_target_format_is_exactly_the_digested_bytes(client: Client) -> None:
    response = client.get(SOC, {"format": "target"})
    assert response["Content-Type"] == TARGET_TYPE
    assert response["Target-Digest"] == "sha256:" + hashlib.sha256(response.content).hexdigest()


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        (TARGET_TYPE, TARGET_TYPE),
        (f"application/json;q=0.5, {TARGET_TYPE}", TARGET_TYPE),
        (f"{TARGET_TYPE}, */*", TARGET_TYPE),
        (f"*/*, {TARGET_TYPE}", TARGET_TYPE),
        (f"application/json, {TARGET_TYPE};q=0", "application/json"),
        ("text/html, application/json;q=0.9, */*;q=0.1", "application/json"),
    ],
)
def test_accept_chooses_the_format(client: Client, accept: str | None, media_type: str) -> None:
    headers = {"Accept": accept} if accept else {}
    assert client.get(SOC, headers=headers)["Content-Type"] == media_type


def test_format_by_name_wins_over_accept(client: Client) -> None:
    response = client.get(SOC, {"format": "target"}, headers={"Accept": "application/json"})
    assert response["Content-Type"] == TARGET_TYPE


@pytest.mark.parametrize(
    ("query", "accept"), [({"format": "nope"}, "*/*"), ({}, "image/png"), ({"format": ""}, "*/*")]
)
def test_unknown_format_lists_those_there_are(
    client: Client, query: dict[str, str], accept: str
) -> None:
    response = client.get(SOC, query, headers={"Accept": accept})
    assert problem(response, "FORMAT_UNKNOWN")["suggestions"] == list(EXPORT_FORMATS)


@pytest.mark.parametrize(
    ("path", "caching", "location"),
    [
        ("arm/soc", "public, max-age=0, must-revalidate", "arm/soc@1.0.0"),
        ("arm/soc@1", "public, max-age=0, must-revalidate", "arm/soc@1.0.0"),
        ("arm/soc-name", "public, max-age=0, must-revalidate", "arm/soc@1.0.0"),
        ("arm/soc@1.0.0", "public, max-age=300", None),
        ("arm/soc@1.0.0?format=target", "public, max-age=31536000, immutable", None),
        (
            "arm/soc?format=target",
            "public, max-age=0, must-revalidate",
            "arm/soc@1.0.0?format=target",
        ),
    ],
)
def test_caches_are_told_what_may_change(
    client: Client, path: str, caching: str, location: str | None
) -> None:
    response = client.get(f"/api/v1/resolve/{path}")
    assert response["Cache-Control"] == caching
    expected = f"/api/v1/resolve/{location}" if location else None
    assert response.get("Content-Location") == expected
    assert response["Vary"] == "Accept, Accept-Encoding"


def test_content_location_answers_the_same_target(client: Client) -> None:
    first = client.get(SOC)
    again = client.get(first["Content-Location"])
    assert again.json()["target"] == first.json()["target"]


def test_etag_is_strong_and_answers_304(client: Client) -> None:
    response = client.get(SOC)
    assert response["ETag"].startswith('"')
    again = client.get(SOC, headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == response["ETag"]
    assert again["Cache-Control"] == response["Cache-Control"]
    assert client.get(SOC, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.usefixtures("acme")
def test_etag_changes_with_a_warning(client: Client) -> None:
    publish("acme/board", {"kind": "c", "mcpu": "cortex-m7"})
    path = "/api/v1/resolve/acme/board@1.0.0"
    before = client.get(path)
    yank("acme/board@1.0.0", 'wrong "figures"')
    after = client.get(path)
    assert before["ETag"] != after["ETag"]
    assert (after.json()["status"], after["Target-Status"]) == ("yanked", "yanked")
    assert 'wrong "figures"' in after.json()["warnings"][0]["message"]


def test_headers_say_what_answered(client: Client) -> None:
    response = client.get("/api/v1/resolve/nvidia/a100")
    assert response["Target-Version"] == "2.0.0"
    assert response["Target-Digest"] == response.json()["digest"]
    assert response["Target-Status"] == "active"


def test_head_has_the_headers_without_the_body(client: Client) -> None:
    head, get = client.head(SOC), client.get(SOC)
    assert head.content == b""
    assert head["ETag"] == get["ETag"]
    assert head["Content-Length"] == str(len(get.content))


def test_slashes_may_come_encoded(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm%2Fsoc%3Aaot%401.0.0")
    assert response.json()["reference"] == "arm/soc:aot@1.0.0"


def test_other_origins_may_read(client: Client) -> None:
    response = client.get(SOC)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in response["Access-Control-Expose-Headers"]
    preflight = client.options(SOC, headers={"Origin": "https://example.com"})
    assert preflight.status_code == 204
    assert preflight["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"


def test_mixin_resolves_as_json_and_target(client: Client) -> None:
    found = client.get("/api/v1/resolve/micro/aot").json()
    assert found["tuning_keys"] == {}
    assert "kind" not in found["target"]
    target = client.get("/api/v1/resolve/micro/aot", {"format": "target"})
    assert json.loads(target.content) == found["target"]


BAD_REFERENCES = [
    "AWS/c4",
    "aws",
    "aws/",
    "a/b:",
    "a/b@1.2.3.4",
    "a/b@01",
    "a/b@",
    "a/b@sha256:12",
    "a/b@" + "1" * 10,
    "a/" + "b" * 254,
    "a/b.json",
    "a/b:x.svg",
    "a/b..c",
    "a//b",
    "/a/b",
    "a/b%00",
    "a/b%0A",
    "%0Aa/b",
    "a/b%7F",
    "a/b%FF",
    "a/b%C3%BC",
    "a/b%2525",
    "a/b c",
    "",
]


@pytest.mark.parametrize("reference", BAD_REFERENCES)
def test_what_is_no_reference_says_what_was_expected(client: Client, reference: str) -> None:
    found = problem(client.get(f"/api/v1/resolve/{reference}"), "REFERENCE_INVALID")
    assert "namespace/name[:variant][@version]" in found["errors"][0]["expected"]
    assert found["detail"].isprintable()


@pytest.mark.parametrize("reference", ["a/b%00", "a/b%0A", "a/b%FF", "a/b@01"])
def test_what_cannot_be_a_name_is_refused_before_any_query(client: Client, reference: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/api/v1/resolve/{reference}")
    assert len(captured) == 0


def test_unknown_tag_draws_near_names(client: Client) -> None:
    found = problem(client.get("/api/v1/resolve/nvidia/rtx4090"), "TAG_UNKNOWN")
    assert found["suggestions"][0] == "nvidia/geforce-rtx-4090"
    assert len(found["suggestions"]) <= 5


def test_unknown_version_draws_those_there_are(client: Client) -> None:
    found = problem(client.get("/api/v1/resolve/nvidia/a100@7"), "VERSION_UNKNOWN")
    assert found["suggestions"] == ["nvidia/nvidia-a100@2.0.0", "nvidia/nvidia-a100@1.0.0"]


@pytest.mark.parametrize("query", ["nodes=/host", "fromat=target", "format=target&x=1"])
def test_parameter_that_is_not_understood_is_refused(client: Client, query: str) -> None:
    found = problem(client.get(f"{SOC}?{query}"), "REQUEST_INVALID")
    assert "format" in found["errors"][0]["expected"]


def test_answer_kept_for_ever_does_not_state_what_can_change(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm/soc@1.0.0?format=target")
    assert "Target-Status" not in response
    assert response["Target-Version"] == "1.0.0"


@pytest.mark.parametrize("header", ["Bearer nonsense", "Basic YTpi", "Bearer"])
def test_bad_token_is_refused_even_for_reading(client: Client, header: str) -> None:
    response = client.get(SOC, headers={"Authorization": header})
    problem(response, "UNAUTHENTICATED")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_writing_to_a_resolution_is_not_allowed(client: Client) -> None:
    response = client.delete(SOC)
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "GET, HEAD, OPTIONS"
