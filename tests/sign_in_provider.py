"""A provider by which people sign in, whose answers tests choose, and a browser that visits it."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from django.test import Client

from registry.domain.identity_provider import IdentityProvider
from tests.issuers import DISCOVERY, Issuer, run_issuer_of

CLIENT_ID, SECRET = "registry", "a secret: 100% + /"
LOGIN = "/accounts/provider/login/"


class SignInProvider(Issuer):
    """An issuer with the endpoints for signing people in; it checks what a real one checks."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.begun: dict[str, dict[str, str]] = {}  # the query of each code that was not redeemed
        self.tokens: dict[str, str] = {}  # what to answer to a code, if not a valid token
        self.changes: dict[str, Any] = {}  # of the claims
        self.userinfo: dict[str, Any] = {}
        self.discovery: dict[str, Any] = {"claims_supported": ["auth_time"]}
        self._answer: dict[str, Any] | None = None

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        documents: dict[str, Any] = {
            DISCOVERY: {
                "issuer": self.address,
                "jwks_uri": f"{self.address}/keys",
                "authorization_endpoint": f"{self.address}/authorize?realm=one",
                "token_endpoint": f"{self.address}/token",
                "userinfo_endpoint": f"{self.address}/userinfo",
                **self.discovery,
            },
            "/userinfo": self.userinfo,
            "/token": self._answer,
        }
        if path in documents and path not in self.answers:
            self.requests.append(path)
            body = documents[path]
            return (400, {}, b"{}") if body is None else (200, {}, json.dumps(body).encode())
        return super().answer(path)

    def receive(self, path: str, form: str, authorization: str) -> None:
        """Redeem a code, once: for this client, address and verifier."""
        sent = {name: values[0] for name, values in parse_qs(form).items()}
        begun = self.begun.pop(sent["code"], None)
        pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        digest = hashlib.sha256(sent["code_verifier"].encode()).digest()
        is_valid = (
            begun is not None
            and [unquote(part) for part in pair.split(":")] == [CLIENT_ID, SECRET]
            and begun["redirect_uri"] == sent["redirect_uri"]
            and begun["code_challenge"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        )
        self._answer = None
        if is_valid and begun is not None:
            token = self.tokens.get(sent["code"]) or self.identity_token(begun)
            self._answer = {"id_token": token, "access_token": "bearer", "token_type": "Bearer"}

    def identity_token(self, begun: dict[str, str], **changes: Any) -> str:
        """Return the token of somebody who has signed in just now."""
        now = self.claims()["iat"]
        claims = {"sub": "248", "aud": CLIENT_ID, "nonce": begun["nonce"], "auth_time": now}
        return self.token(**{**claims, **self.changes, **changes})


class Browser:
    """A browser that goes to the provider and comes back, with Django's client for the registry."""

    def __init__(self, client: Client, provider: SignInProvider) -> None:
        self.client = client
        self.provider = provider
        self.begun: dict[str, str] = {}

    def leave(self, **fields: str) -> Any:
        """Press the button that leads to the provider; return the response."""
        response = self.client.post(LOGIN, fields)
        self.take(response)
        return response

    def take(self, response: Any) -> None:
        """Take the address to which a response sends the browser."""
        address = response.headers.get("Refresh", "").removeprefix("0; url=")
        query = parse_qs(urlsplit(address).query)
        self.begun = {name: values[0] for name, values in query.items()}

    def come_back(self, code: str = "code", **changes: str) -> Any:
        """Come back from the provider with a code; return the registry's response."""
        self.provider.begun[code] = self.begun
        query = {"state": self.begun.get("state", ""), "code": code, **changes}
        return self.client.get(f"{LOGIN}callback/?{urlencode(query)}")

    def sign_in(self, **fields: str) -> Any:
        """Go to the provider and come back."""
        self.leave(**fields)
        return self.come_back()

    def sign_up(self, username: str = "ada", **fields: str) -> Any:
        """Go to the provider, come back and choose a username."""
        self.sign_in()
        return self.client.post("/accounts/provider/signup/", {"username": username, **fields})


@contextmanager
def sign_in_provider(settings: Any) -> Iterator[SignInProvider]:
    """Run a provider on loopback, by which the settings let people sign in."""
    with run_issuer_of(SignInProvider) as running:
        settings.IDENTITY_PROVIDER = IdentityProvider(
            running.address, CLIENT_ID, SECRET, "Example Id"
        )
        yield running


def sentence_of(response: Any) -> str:
    """Return the first paragraph of a page, as text."""
    (text,) = re.findall(r'<p class="lede">(.*?)</p>', response.content.decode())[:1]
    return html.unescape(re.sub(r"<[^>]*>", "", text))
