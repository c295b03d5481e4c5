"""Tests of GET resolve/<reference>."""

import hashlib
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.document import Json
from registry.models import Event, LintReport, Version
from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.problems import problem
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TARGET_TYPE = "application/vnd.target-tag-registry.target+json"
SOC = "/api/v1/resolve/arm/soc:aot"


def test_resolution_has_the_documented_shape(client: Client) -> None:
    data = client.get(SOC).json()
    digest = data.pop("digest")
    published, event = data.pop("published"), data.pop("event")
    (key,) = data.pop("tuning_keys").values()
    build_key = data.pop("build_key")
    assert digest.startswith("sha256:")
    assert key.startswith("tk1:")
    assert re.fullmatch("bk1:[0-9a-f]{64}", build_key)
    assert published.endswith("Z")
    assert Event.objects.get(number=event).subject == "arm/soc:aot@1.0.0"
    assert data == {
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
        "lints": [
            {
                "pointer": "/runtime/kind",
                "code": "REMOVED_IN",
                "message": "TVM 0.20 removed the runtime crt",
                "expected": "runtime cpp, or a TVM before 0.20",
                "found": "crt",
                "suggestions": ["cpp"],
            }
        ],
        "warnings": [],
    }


FRACTION = {"kind": "llvm", "mcpu": "cortex-a72", "hardware": {"power_watts": 1e-7}}


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("tag", ["acme/board", "acme/child", "acme/patch", "acme/pair"])
def test_stored_json_is_returned_byte_for_byte(client: Client, tag: str) -> None:
    publish("acme/board", FRACTION)
    publish("acme/child", {"tag": "acme/board", "model": "Kind"})
    publish("acme/patch", {"executor": "aot"})
    publish("acme/pair", {"kind": "composite", "devices": ["acme/board", "acme/child"]})
    version = Version.objects.get(tag__text=tag)
    report = LintReport.objects.filter(version=version).first()
    stored = (
        f'"target":{version.target},"tuning_keys":{version.tuning_keys},'
        f'"lineage":{version.lineage},"dependencies":{version.dependencies},'
        f'"build_key":{json.dumps(version.build.key)},'
        f'"lints":{report.lints if report else "[]"},"warnings":[]}}'
    )
    one = client.get(f"/api/v1/resolve/{tag}").content
    assert one.endswith(stored.encode())
    sent = json.dumps({"references": [tag, tag]})
    two = client.post("/api/v1/resolve", sent, "application/json").content
    assert two == b'{"results":[' + one + b"," + one + b"]}"
    lineage = client.get(f"/api/v1/lineage/{tag}").content
    assert f'"uses":{version.dependencies}'.encode() in lineage


def test_members_are_ordered(client: Client) -> None:
    data = client.get(SOC).json()
    assert list(data) == [
        "reference",
        "tag",
        "version",
        "digest",
        "published",
        "event",
        "status",
        "target",
        "tuning_keys",
        "lineage",
        "dependencies",
        "build_key",
        "lints",
        "warnings",
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", data["published"])


@pytest.mark.parametrize(("selector", "queries"), [("", 1), ("@1.0.0", 2)])
def test_resolving_takes_at_most_two_queries(selector: str, queries: int, client: Client) -> None:
    with CaptureQueriesContext(connection) as captured:
        client.get(SOC + selector)
    assert len(captured) == queries


@pytest.mark.usefixtures("acme")
def test_reason_of_a_yank_takes_a_third_query(client: Client) -> None:
    publish("acme/board", {"kind": "c", "mcpu": "cortex-m7"})
    yank("acme/board@1.0.0", "wrong figures")
    with CaptureQueriesContext(connection) as captured:
        (warning,) = client.get("/api/v1/resolve/acme/board@1.0.0").json()["warnings"]
    assert warning["message"].endswith("was yanked: wrong figures")
    assert len(captured) == 3


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
def test_unknown_format_lists_the_existing_ones(
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
def test_cache_control_depends_on_the_reference(
    client: Client, path: str, caching: str, location: str | None
) -> None:
    response = client.get(f"/api/v1/resolve/{path}")
    assert response["Cache-Control"] == caching
    expected = f"/api/v1/resolve/{location}" if location else None
    assert response.get("Content-Location") == expected
    assert response["Vary"] == "Accept, Accept-Encoding"


def test_content_location_returns_the_same_target(client: Client) -> None:
    first = client.get(SOC)
    again = client.get(first["Content-Location"])
    assert again.json()["target"] == first.json()["target"]


def test_etag_is_strong_and_returns_304(client: Client) -> None:
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


def test_headers_identify_the_resolved_version(client: Client) -> None:
    response = client.get("/api/v1/resolve/nvidia/a100")
    assert response["Target-Version"] == "2.0.0"
    assert response["Target-Digest"] == response.json()["digest"]
    assert response["Target-Build-Key"] == response.json()["build_key"]
    assert response["Target-Status"] == "active"
    assert "Target-Build-Key" in response["Access-Control-Expose-Headers"]


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("body", [{"executor": "aot"}, {"kind": "cuda"}], ids=str)
def test_mixins_and_host_dependent_targets_have_no_build_key(client: Client, body: Json) -> None:
    publish("acme/board", body)
    response = client.get("/api/v1/resolve/acme/board")
    assert response.json()["build_key"] is None
    assert "Target-Build-Key" not in response


@pytest.mark.usefixtures("acme")
def test_build_key_stays_with_a_patch_and_changes_with_a_minor(client: Client) -> None:
    keys = {}
    for change in ({}, {"hardware": {"cores": 4}}, {"executor": "vm"}):
        publish("acme/board", {"kind": "c", "mcpu": "cortex-m7", **change})
        data = client.get("/api/v1/resolve/acme/board").json()
        keys[data["version"]] = data["build_key"]
    assert keys["1.0.0"] == keys["1.0.1"] != keys["1.1.0"]


def test_head_has_the_headers_without_the_body(client: Client) -> None:
    head, get = client.head(SOC), client.get(SOC)
    assert head.content == b""
    assert head["ETag"] == get["ETag"]
    assert head["Content-Length"] == str(len(get.content))


def test_slashes_may_be_percent_encoded(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm%2Fsoc%3Aaot%401.0.0")
    assert response.json()["reference"] == "arm/soc:aot@1.0.0"


def test_other_origins_may_read(client: Client) -> None:
    response = client.get(SOC)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in response["Access-Control-Expose-Headers"]
    again = client.get(SOC, headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304
    exposed = "Access-Control-Expose-Headers"
    assert again[exposed] == response[exposed], "a script that revalidates reads them, too"
    preflight = client.options(SOC, headers={"Origin": "https://example.com"})
    assert preflight.status_code == 204
    assert preflight["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"


def test_mixin_resolves_as_json_and_target(client: Client) -> None:
    data = client.get("/api/v1/resolve/micro/aot").json()
    assert data["tuning_keys"] == {}
    assert "kind" not in data["target"]
    target = client.get("/api/v1/resolve/micro/aot", {"format": "target"})
    assert json.loads(target.content) == data["target"]


BAD_REFERENCES = [
    "AWS/c44",
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
def test_invalid_reference_states_the_expected_form(client: Client, reference: str) -> None:
    error = problem(client.get(f"/api/v1/resolve/{reference}"), "REFERENCE_INVALID")
    assert "namespace/name[:variant][@version]" in error["errors"][0]["expected"]
    assert error["detail"].isprintable()


@pytest.mark.parametrize("reference", ["a/b%00", "a/b%0A", "a/b%C3%BC", "a/b@01"])
def test_invalid_name_is_rejected_without_a_query(client: Client, reference: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/api/v1/resolve/{reference}")
    assert len(captured) == 0


def test_unknown_tag_suggests_similar_names(client: Client) -> None:
    error = problem(client.get("/api/v1/resolve/nvidia/rtx4090"), "TAG_UNKNOWN")
    assert error["suggestions"][0] == "nvidia/geforce-rtx-4090"
    assert len(error["suggestions"]) <= 5


def test_unknown_version_suggests_existing_ones(client: Client) -> None:
    error = problem(client.get("/api/v1/resolve/nvidia/a100@7"), "VERSION_UNKNOWN")
    assert error["suggestions"] == ["nvidia/nvidia-a100@2.0.0", "nvidia/nvidia-a100@1.0.0"]


@pytest.mark.parametrize("query", ["nodes=/host", "fromat=target", "format=target&x=1"])
def test_unknown_parameter_is_rejected(client: Client, query: str) -> None:
    error = problem(client.get(f"{SOC}?{query}"), "REQUEST_INVALID")
    assert "format" in error["errors"][0]["expected"]


def test_immutable_response_has_no_status(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm/soc@1.0.0?format=target")
    assert "Target-Status" not in response
    assert response["Target-Version"] == "1.0.0"


@pytest.mark.parametrize("header", ["Bearer nonsense", "Basic YTpi", "Bearer"])
def test_invalid_token_is_rejected_even_for_reading(client: Client, header: str) -> None:
    response = client.get(SOC, headers={"Authorization": header})
    problem(response, "UNAUTHENTICATED")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_writing_to_a_resolution_is_not_allowed(client: Client) -> None:
    response = client.delete(SOC)
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "GET, HEAD, OPTIONS"
