"""POST trusted-publishing."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import HealthCheck, given, settings as profile, strategies as st

from registry.models import Token, TrustedPublisher
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.issuers import Issuer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("publisher")]
PATH = "trusted-publishing"
TARGET = {"kind": "llvm", "mcpu": "haswell"}


def test_identity_token_becomes_a_token_that_publishes(post: Post, issuer: Issuer) -> None:
    response = post(PATH, {"token": issuer.token()})
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    answer = response.json()
    assert {**answer, "token": "", "expires": ""} == {
        "token": "",
        "expires": "",
        "scopes": "publish",
        "names": "acme",
    }
    headers = {"Authorization": f"Bearer {answer['token']}", "If-None-Match": "*"}
    assert post("versions/acme/board", {"target": TARGET}, **headers).status_code == 201
    problem(post("versions/arm/board", {"target": TARGET}, **headers), "FORBIDDEN")


@pytest.mark.parametrize("host", ["registry.example.org", "mirror.example.org", "evil.example"])
@pytest.mark.parametrize("hosts", [["registry.example.org", "mirror.example.org"], ["*"]])
def test_audience_is_the_configured_address_whatever_the_host(
    host: str, hosts: list[str], client: Client, issuer: Issuer, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = hosts
    settings.ADDRESS = "https://registry.example.org"

    def status(audience: str) -> int:
        return client.post(
            f"/api/v1/{PATH}",
            {"token": issuer.token(aud=audience)},
            "application/json",
            headers={"Host": host},
            secure=True,
        ).status_code

    is_allowed = host in hosts or hosts == ["*"]
    assert status("https://registry.example.org") == (200 if is_allowed else 400)
    for audience in (f"https://{host}", "http://testserver"):
        if audience != settings.ADDRESS:
            assert status(audience) == (401 if is_allowed else 400)


def test_without_an_address_no_identity_token_is_accepted(
    post: Post, issuer: Issuer, settings: Any
) -> None:
    """An empty audience would be an address that any issuer can state."""
    settings.ADDRESS = ""
    for audience in ("http://testserver", "", "None"):
        answer = problem(post(PATH, {"token": issuer.token(aud=audience)}), "FORBIDDEN")
        assert "has not set REGISTRY_ADDRESS" in answer["detail"]
    assert not Token.objects.exists()


def test_refusal_is_a_problem_with_the_reason(post: Post, issuer: Issuer) -> None:
    answer = problem(post(PATH, {"token": issuer.token(aud="pypi")}), "UNAUTHENTICATED")
    assert answer["detail"] == (
        "This identity token is refused: its audience is not http://testserver."
    )
    problem(post(PATH, {"token": issuer.token(sub="repo:other")}), "FORBIDDEN")
    problem(post(PATH, {"token": issuer.token(), "tag": "arm/soc"}), "FORBIDDEN")
    problem(post(PATH, {"token": issuer.token(), "tag": "soc"}), "REFERENCE_INVALID")
    problem(post(PATH, {"token": 7}), "REQUEST_INVALID")
    problem(post(PATH, {}), "REQUEST_INVALID")


def test_issuer_that_is_away_is_busy(post: Post, issuer: Issuer) -> None:
    text = issuer.token()
    issuer.answers["/keys"] = (500, {}, b"")
    response = post(PATH, {"token": text})
    problem(response, "BUSY")
    assert response["Retry-After"]


def test_invalid_tokens_are_limited(
    post: Post, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, "failure", 1)
    problem(post(PATH, {"token": issuer.token(aud="pypi")}), "UNAUTHENTICATED")
    problem(post(PATH, {"token": issuer.token(aud="pypi")}), "RATE_LIMITED")
    assert post(PATH, {"token": issuer.token()}).status_code == 200


def test_requests_are_limited(post: Post, issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, "anonymous", 1)
    assert post(PATH, {"token": issuer.token()}).status_code == 200
    problem(post(PATH, {"token": issuer.token()}), "RATE_LIMITED")


CLAIM_VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
CLAIMS = st.dictionaries(
    st.sampled_from(["iss", "sub", "aud", "iat", "nbf", "exp", "jti"]),
    CLAIM_VALUES | st.lists(CLAIM_VALUES, max_size=3) | st.dictionaries(st.text(), CLAIM_VALUES),
)


@profile(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(claims=CLAIMS)
def test_no_claim_of_another_type_is_an_internal_error(
    claims: dict[str, Any], issuer: Issuer, publisher: TrustedPublisher
) -> None:
    claims = {name: value for name, value in claims.items() if name != "iss" or value}
    try:
        text = issuer.token(**claims)
    except TypeError:
        return  # PyJWT does not encode it
    response = Client(raise_request_exception=True).post(
        f"/api/v1/{PATH}", {"token": text}, "application/json", REMOTE_ADDR="192.0.2.1"
    )
    assert response.status_code in {200, 401, 403, 429}
    assert response.status_code != 200 or Token.objects.exists()
