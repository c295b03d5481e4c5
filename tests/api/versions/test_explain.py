"""GET explain/<reference>."""

import pytest
from django.test import Client

from tests.api.problems import problem
from tests.publishing import publish

pytestmark = pytest.mark.django_db

SOC = "/api/v1/explain/arm/soc:aot"


def test_every_value_says_which_version_set_it(client: Client) -> None:
    found = client.get(SOC).json()
    assert found["reference"] == "arm/soc:aot@1.0.0"
    assert {value["pointer"]: value["from"] for value in found["values"]} == {
        "/executor/interface-api": "micro/aot@1.0.0",
        "/executor/kind": "micro/aot@1.0.0",
        "/executor/unpacked-api": "micro/aot@1.0.0",
        "/keys": "arm/soc@1.0.0",
        "/kind": "arm/soc@1.0.0",
        "/mcpu": "arm/soc@1.0.0",
        "/model": "arm/soc@1.0.0",
        "/runtime/kind": "micro/aot@1.0.0",
    }
    assert found["values"][3] == {
        "pointer": "/keys",
        "value": ["arm_cpu", "cpu"],
        "from": "arm/soc@1.0.0",
    }


@pytest.mark.usefixtures("acme")
def test_own_values_name_the_version_too(client: Client) -> None:
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
def test_caches_are_told_what_may_change(
    client: Client, route: str, path: str, caching: str, location: str | None
) -> None:
    response = client.get(f"/api/v1/{route}/{path}")
    assert response["Cache-Control"] == caching
    expected = f"/api/v1/{route}/{location}" if location else None
    assert response.get("Content-Location") == expected


def test_it_can_be_asked_for_again_with_its_etag(client: Client) -> None:
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
        ("ARM/soc", "REFERENCE_INVALID"),
        ("arm/soc?node=/host", "REQUEST_INVALID"),
    ],
)
@pytest.mark.parametrize("route", ["explain", "lineage", "dependents"])
def test_what_cannot_be_answered_is_refused(
    client: Client, route: str, path: str, code: str
) -> None:
    problem(client.get(f"/api/v1/{route}/{path}"), code)
