"""Tests of GET explain/<reference>."""

import pytest
from django.test import Client

from tests.api.problems import problem
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SOC = "/api/v1/explain/arm/soc:aot"


def test_every_value_names_the_version_that_set_it(client: Client) -> None:
    data = client.get(SOC).json()
    assert data["reference"] == "arm/soc:aot@1.0.0"
    assert {value["pointer"]: value["from"] for value in data["values"]} == {
        "/executor/interface-api": "micro/aot@1.0.0",
        "/executor/kind": "micro/aot@1.0.0",
        "/executor/unpacked-api": "micro/aot@1.0.0",
        "/keys": "arm/soc@1.0.0",
        "/kind": "arm/soc@1.0.0",
        "/mcpu": "arm/soc@1.0.0",
        "/model": "arm/soc@1.0.0",
        "/runtime/kind": "micro/aot@1.0.0",
    }
    assert data["values"][3] == {
        "pointer": "/keys",
        "value": ["arm_cpu", "cpu"],
        "from": "arm/soc@1.0.0",
    }


@pytest.mark.usefixtures("acme")
def test_own_values_name_the_version(client: Client) -> None:
    publish("acme/board", {"tag": "arm/soc@1", "mcpu": "cortex-m55"})
    values = client.get("/api/v1/explain/acme/board").json()["values"]
    assert {value["pointer"]: value["from"] for value in values}["/mcpu"] == "acme/board@1.0.0"


@pytest.mark.parametrize(
    ("path", "caching", "location"),
    [
        ("arm/soc", "public, max-age=0, must-revalidate", "arm/soc@1.0.0"),
        ("arm/soc-name", "public, max-age=0, must-revalidate", "arm/soc@1.0.0"),
        ("arm/soc@1.0.0", "public, max-age=300", None),
    ],
)
@pytest.mark.parametrize("route", ["explain", "lineage"])
def test_cache_control_depends_on_the_reference(
    client: Client, route: str, path: str, caching: str, location: str | None
) -> None:
    response = client.get(f"/api/v1/{route}/{path}")
    assert response["Cache-Control"] == caching
    expected = f"/api/v1/{route}/{location}" if location else None
    assert response.get("Content-Location") == expected


def test_matching_etag_returns_304(client: Client) -> None:
    response = client.get(SOC)
    again = client.get(SOC, headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = client.head(SOC)
    assert (head.content, head["ETag"]) == (b"", response["ETag"])
    assert head["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("arm/sock", "TAG_UNKNOWN"),
        ("arm/soc@7", "VERSION_UNKNOWN"),
        ("ARM/soc", "TAG_UNKNOWN"),
        ("ARM/soc!", "REFERENCE_INVALID"),
        ("arm/soc?node=/host", "REQUEST_INVALID"),
    ],
)
@pytest.mark.parametrize("route", ["explain", "lineage", "dependents"])
def test_invalid_reference_is_rejected(client: Client, route: str, path: str, code: str) -> None:
    problem(client.get(f"/api/v1/{route}/{path}"), code)
