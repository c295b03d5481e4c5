"""Keys of issuers: fetched within limits, kept for an hour, and never taken on trust."""

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import jwt
import pytest

from registry.domain.errors import Refused
from registry.services.accounts import issuer_keys
from registry.services.accounts.issuer_keys import (
    LIFETIME,
    MAX_RESPONSE,
    REFRESHED_AFTER,
    RETRY,
    FetchFailed,
    IssuerKeys,
    Keys,
    fetch_keys,
)
from tests.issuers import (
    DISCOVERY,
    EC_KEY,
    RSA_KEY,
    Issuer,
    public_jwk,
    run_issuer,
    trickling_server,
)

pytestmark = pytest.mark.any_database

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
KEY = jwt.PyJWK.from_dict(public_jwk(RSA_KEY, "a"))
ISSUER = "https://ci.example.org"


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with run_issuer() as running:
        yield running


class Source:
    """An issuer: the keys that `fetch` returns, its number of calls, and a clock."""

    def __init__(self) -> None:
        self.keys: Keys | None = {"a": KEY}
        self.calls = 0
        self.now = 0.0
        self.store = IssuerKeys(self.fetch, lambda: self.now, self.start)
        self.waiting: list[Callable[[], None]] = []  # fetches, if they do not run at once
        self.is_slow = False

    def start(self, fetch: Callable[[], None]) -> None:
        if self.is_slow:
            self.waiting.append(fetch)
        else:
            fetch()

    def fetch(self, issuer: str) -> Keys:
        self.calls += 1
        if self.keys is None:
            raise FetchFailed("it is away")
        return self.keys

    def find(self, key_id: str | None = "a") -> jwt.PyJWK | None:
        return self.store.find(ISSUER, key_id)


def test_keys_are_kept_for_an_hour() -> None:
    source = Source()
    assert source.find() is source.find() is KEY
    source.now = LIFETIME - 1
    source.find()
    assert source.calls == 1
    source.now = LIFETIME
    source.find()
    assert source.calls == 2


def test_withdrawn_key_is_forgotten_after_an_hour() -> None:
    source = Source()
    source.find()
    source.keys, source.now = {"b": KEY}, LIFETIME
    assert source.find() is None


def test_unknown_key_is_looked_for_once_a_minute() -> None:
    source = Source()
    assert [source.find("new") for _ in range(3)] == [None] * 3
    assert source.calls == 1
    source.keys, source.now = {"a": KEY, "new": KEY}, RETRY
    assert source.find("new") is KEY
    assert source.calls == 2


def test_failure_is_remembered_for_a_minute() -> None:
    source = Source()
    source.keys = None
    for _ in range(3):
        with pytest.raises(Refused, match="cannot be fetched now") as caught:
            source.find()
    assert (caught.value.code, source.calls) == ("BUSY", 1)
    source.keys, source.now = {"a": KEY}, RETRY
    assert source.find() is KEY


def test_nobody_waits_for_an_issuer_that_is_slow() -> None:
    source = Source()
    source.is_slow = True
    for _ in range(12):
        with pytest.raises(Refused, match="are being fetched; try again") as caught:
            source.find()
    assert caught.value.code == "BUSY"
    (fetch,) = source.waiting
    fetch()
    assert source.find() is KEY


def test_slow_issuer_holds_no_other() -> None:
    source = Source()
    source.is_slow = True
    with pytest.raises(Refused, match="are being fetched"):
        source.find()
    source.is_slow = False
    assert source.store.find("https://other.example.org", "a") is KEY


def test_known_keys_serve_while_others_are_looked_for() -> None:
    source = Source()
    source.find()
    source.is_slow, source.now = True, RETRY
    with pytest.raises(Refused, match="are being fetched"):
        source.find("new")
    assert source.find() is KEY


def test_fetch_that_breaks_is_over() -> None:
    source = Source()
    source.keys = None
    with pytest.raises(Refused):
        source.find()
    source.now, source.keys = RETRY, {"a": KEY}
    assert source.find() is KEY


@pytest.mark.parametrize(
    ("age", "calls"), [(0, 1), (REFRESHED_AFTER - 1, 1), (REFRESHED_AFTER, 2), (LIFETIME, 2)]
)
def test_keys_are_refreshed_before_they_expire(age: float, calls: int) -> None:
    source = Source()
    source.store.refresh([ISSUER])
    source.now = age
    source.store.refresh([ISSUER])
    assert source.calls == calls
    assert source.find() is KEY


def test_refresh_repeats_a_failure_after_a_minute() -> None:
    source = Source()
    source.keys = None
    for now in (0, RETRY - 1, RETRY):
        source.now = now
        source.store.refresh([ISSUER])
    assert source.calls == 2


def test_known_keys_outlast_a_failure_until_they_are_an_hour_old() -> None:
    source = Source()
    source.find()
    source.keys, source.now = None, RETRY
    assert source.find("new") is None
    assert source.find() is KEY
    source.now = LIFETIME
    with pytest.raises(Refused, match="cannot be fetched"):
        source.find()


def test_keys_are_found_through_discovery(issuer: Issuer) -> None:
    assert set(fetch_keys(issuer.address)) == {"rsa-1", "ec-1"}
    assert issuer.requests == [DISCOVERY, "/keys"]


def test_keys_that_sign_nothing_are_left_out(issuer: Issuer) -> None:
    issuer.keys = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "shared", "alg": "HS256"},
        {**public_jwk(RSA_KEY, "encrypts"), "use": "enc"},
        {"kty": "RSA", "kid": "broken"},
        {"kty": "EC", "crv": "P-0", "kid": "unknown", "x": "AA", "y": "AA"},
        public_jwk(EC_KEY, "signs"),
    ]
    assert set(fetch_keys(issuer.address)) == {"signs"}


def answer_with(
    path: str, value: object, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
) -> Callable[..., None]:
    """Return a function that makes an issuer answer so."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()

    def change(issuer: Issuer) -> None:
        issuer.answers[path] = (status, dict(headers), body)

    return change


def redirect(issuer: Issuer) -> None:
    issuer.answers[DISCOVERY] = (302, {"Location": f"{issuer.address}/elsewhere"}, b"")
    document = {"issuer": issuer.address, "jwks_uri": f"{issuer.address}/keys"}
    issuer.answers["/elsewhere"] = (200, {}, json.dumps(document).encode())


def plain_http(issuer: Issuer) -> None:
    document = {"issuer": issuer.address, "jwks_uri": "http://ci.example.org/keys"}
    issuer.answers[DISCOVERY] = (200, {}, json.dumps(document).encode())


BAD_ANSWERS: dict[str, tuple[Callable[[Issuer], None], str]] = {
    "redirect": (redirect, "302"),
    "missing": (answer_with(DISCOVERY, {}, 404), "404"),
    "another issuer": (answer_with(DISCOVERY, {"issuer": ISSUER}), "names the issuer"),
    "keys over http": (plain_http, "is not an https URL"),
    "no object": (answer_with(DISCOVERY, []), "is not a JSON object"),
    "no JSON": (answer_with(DISCOVERY, b"<html>"), "Expecting value"),
    "deep JSON": (answer_with(DISCOVERY, b"[" * 100_000), "recursion"),
    "too large": (answer_with("/keys", b" " * (MAX_RESPONSE + 1)), "more than"),
    "no keys": (answer_with("/keys", {"keys": []}), "no key that signs"),
    "no list of keys": (answer_with("/keys", {"keys": {}}), "holds no keys"),
    "truncated": (answer_with("/keys", b"{", headers={"Content-Length": "99"}), "keys"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_bad_answer_is_a_failure_with_its_reason(name: str, issuer: Issuer) -> None:
    change, reason = BAD_ANSWERS[name]
    change(issuer)
    with pytest.raises(FetchFailed, match=reason):
        fetch_keys(issuer.address)
    assert "/elsewhere" not in issuer.requests


@pytest.mark.parametrize("tls", [False, True])
def test_issuer_that_trickles_is_given_up(tls: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes come sooner than any timeout, and its head never ends."""
    monkeypatch.setattr(issuer_keys, "DEADLINE", 0.5)
    with trickling_server(tls=tls) as port, pytest.raises(FetchFailed, match="took more than"):
        fetch_keys(f"{'https' if tls else 'http'}://127.0.0.1:{port}")


def test_absent_issuer_is_a_failure() -> None:
    with pytest.raises(FetchFailed, match="Connection refused"):
        fetch_keys("http://127.0.0.1:1")
