"""The exchange with the identity provider: where to send people, and who comes back.

All requests of an exchange end by one deadline, and what they return has a limit. Nothing here uses
the database.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request

from registry.domain.errors import Refused
from registry.domain.identity_claims import is_trustworthy
from registry.domain.identity_provider import IdentityProvider
from registry.services.accounts import identity_tokens
from registry.services.accounts.issuer_keys import (
    LIFETIME,
    FetchFailed,
    Keys,
    discover,
    fetch_json,
    fetch_key_set,
    find_key,
)
from registry.services.core.timed_http import TimedOpener

DEADLINE = 8  # seconds for an exchange: discovery, keys, the code, the name
PAUSE = 15  # seconds after a failed discovery in which nobody waits for another
RETRY = 60  # seconds between two fetches for keys that are unknown
MAX_SUBJECT = 191  # characters, with which identities are stored; the standard has 255
SCOPE = "openid profile email"
URL = re.compile(r"https?://[!-~]+")  # printable ASCII
FORM = "application/x-www-form-urlencoded"

logger = logging.getLogger("registry.sign_in")


class ProviderFailed(Exception):
    """A provider did not show who somebody is; the text says why, for the log."""


@dataclass(frozen=True, slots=True)
class ProvenIdentity:
    """A person whom a provider has signed in, by a subject that is theirs alone and never changes.

    The other texts are suggestions for a form; whoever signs in may have chosen them.
    """

    issuer: str
    subject: str
    signed_in: int | None = None  # seconds since 1970, if the provider says it
    says_when: bool = False  # whether the provider says it to whoever asks
    username: str = ""
    email: str = ""

    def was_proven_after(self, moment: int) -> bool:
        """Return whether somebody has signed in there since a moment, as far as can be known."""
        if self.signed_in is None:
            return not self.says_when
        return self.signed_in >= moment - identity_tokens.LEEWAY

    @property
    def label(self) -> str:
        """Return by what the owner recognizes the identity."""
        return self.username or self.email or self.subject


@dataclass(frozen=True, slots=True)
class Discovered:
    """The discovery document of a provider, which names its endpoints, and its keys."""

    document: Mapping[str, Any]
    keys: Keys
    fetched: float

    @property
    def says_when(self) -> bool:
        """Return whether identity tokens say when somebody signed in, if they are asked to."""
        return "auth_time" in (self.document.get("claims_supported") or ())


class ProviderClient:
    """One provider, in this process. Several threads may share it."""

    def __init__(self, provider: IdentityProvider, *, deadline: float = DEADLINE) -> None:
        self.provider = provider
        self._deadline = deadline
        self._discovered: Discovered | None = None
        self._failed = -math.inf  # when discovery failed last
        self._lock = Lock()  # never held while the provider is asked

    def address(self, *, redirect: str, state: str, verifier: str, asks_again: bool) -> str:
        """Return the address at the provider to which a browser goes.

        `asks_again` demands the password there, of people who are signed in too. Raises
        `ProviderFailed`.
        """
        with TimedOpener(self._deadline) as opener:
            discovered = self._discover(opener)
        address = self._endpoint(discovered, "authorization_endpoint")
        query = {
            "client_id": self.provider.client_id,
            "response_type": "code",
            "redirect_uri": redirect,
            "scope": SCOPE,
            "state": state,
            "nonce": _nonce_of(verifier),
            "code_challenge": _encode(hashlib.sha256(verifier.encode()).digest()),
            "code_challenge_method": "S256",
        }
        if asks_again:
            query |= {"prompt": "login", "max_age": "0"}
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(query)}"

    def redeem(self, code: str, *, redirect: str, verifier: str) -> ProvenIdentity:
        """Return whom a code stands for, which the browser has brought. Raises `ProviderFailed`."""
        with TimedOpener(self._deadline) as opener:
            discovered = self._discover(opener)
            answer = self._ask_token(discovered, opener, code, redirect, verifier)
            claims = self._claims(discovered, opener, answer.get("id_token"))
            _check(claims, self.provider.client_id, verifier)
            suggestions = self._suggestions(discovered, opener, claims, answer)
        signed_in = claims.get("auth_time")
        return ProvenIdentity(
            self.provider.issuer,
            str(claims["sub"]),
            signed_in if isinstance(signed_in, int) else None,
            discovered.says_when,
            *suggestions,
        )

    def _discover(self, opener: TimedOpener, *, older_than: float = LIFETIME) -> Discovered:
        """Return what is known of the provider, fetched again if it is as old as this."""
        now = time.monotonic()
        with self._lock:
            known, failed = self._discovered, self._failed
        if known and now - known.fetched < older_than:
            return known
        if now - failed < PAUSE:
            raise ProviderFailed("it did not answer a moment ago")
        try:
            document = discover(self.provider.issuer, opener)
            keys = fetch_key_set(self._secure(str(document.get("jwks_uri"))), opener)
        except FetchFailed as failure:
            with self._lock:
                self._failed = time.monotonic()
            raise ProviderFailed(str(failure)) from failure
        discovered = Discovered(document, keys, now)
        with self._lock:
            self._discovered = discovered
        return discovered

    def _endpoint(self, discovered: Discovered, name: str) -> str:
        address = str(discovered.document.get(name))
        if not URL.fullmatch(address) or not is_trustworthy(address.partition("?")[0]):
            raise ProviderFailed(f"its {name} is {address!r}, no https URL")
        return self._secure(address)

    def _secure(self, address: str) -> str:
        """Return an address. Only a provider on this machine, as in tests, names one without TLS.

        Raises `ProviderFailed`.
        """
        if not address.startswith("https://") and self.provider.issuer.startswith("https://"):
            raise ProviderFailed(f"it names {address!r}, which is no https URL")
        return address

    def _ask_token(
        self, discovered: Discovered, opener: TimedOpener, code: str, redirect: str, verifier: str
    ) -> dict[str, Any]:
        """Return the provider's answer to a code. Raises `ProviderFailed`."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        client, secret = self.provider.client_id, self.provider.secret
        headers = {"Content-Type": FORM, "Accept": "application/json"}
        methods = discovered.document.get("token_endpoint_auth_methods_supported")
        if isinstance(methods, list) and "client_secret_basic" not in methods:
            form |= {"client_id": client, "client_secret": secret}
        else:  # RFC 6749, section 2.3.1
            pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        address = self._endpoint(discovered, "token_endpoint")
        try:
            return fetch_json(Request(address, urlencode(form).encode(), headers), opener)  # noqa: S310 - https, or this machine
        except FetchFailed as failure:
            raise ProviderFailed(str(failure)) from failure

    def _claims(
        self, discovered: Discovered, opener: TimedOpener, token: object
    ) -> Mapping[str, Any]:
        """Return the claims of an identity token that the provider has signed for this client."""
        if not isinstance(token, str):
            raise ProviderFailed("its answer has no identity token")
        try:
            key_id, issuer = identity_tokens.read_unverified(token)
            if issuer != self.provider.issuer:
                raise ProviderFailed(f"its token names the issuer {issuer!r}")
            key = find_key(discovered.keys, key_id)
            if key is None:  # it may be new
                key = find_key(self._discover(opener, older_than=RETRY).keys, key_id)
            if key is None:
                raise ProviderFailed(f"it has no key {key_id!r}")
            return identity_tokens.verified_claims(
                token, key, issuer=issuer, audience=self.provider.client_id
            )
        except Refused as refusal:
            raise ProviderFailed(refusal.detail) from refusal

    def _suggestions(
        self,
        discovered: Discovered,
        opener: TimedOpener,
        claims: Mapping[str, Any],
        answer: Mapping[str, Any],
    ) -> tuple[str, str]:
        """Return a username and an email address to suggest; many providers keep them apart."""
        token = answer.get("access_token")
        if not _names(claims)[0] and isinstance(token, str) and token.isascii():
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
            try:
                address = self._endpoint(discovered, "userinfo_endpoint")
                details = fetch_json(Request(address, headers=headers), opener)  # noqa: S310 - https, or this machine
            except (FetchFailed, ProviderFailed, ValueError) as failure:
                logger.info("The identity provider told no name: %s", failure)
            else:
                if details.get("sub") == claims["sub"]:  # OpenID Connect Core 1.0, section 5.3.2
                    return _names({**claims, **details})
        return _names(claims)


@lru_cache(maxsize=1)
def client_of(provider: IdentityProvider) -> ProviderClient:
    """Return the client of a provider in this process, which knows its endpoints and keys."""
    return ProviderClient(provider)


def _nonce_of(verifier: str) -> str:
    """Return the nonce that binds an identity token to the browser that holds this verifier."""
    return _encode(hashlib.sha256(b"nonce " + verifier.encode()).digest())


def _check(claims: Mapping[str, Any], client_id: str, verifier: str) -> None:
    """Raise `ProviderFailed` for a token of another sign-in, or of nobody in particular."""
    nonce, subject = claims.get("nonce"), claims["sub"]
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode(errors="replace"), _nonce_of(verifier).encode()
    ):
        raise ProviderFailed("its token was issued for another sign-in")
    if claims.get("azp", client_id) != client_id:
        raise ProviderFailed("its token was issued to another client")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT:
        raise ProviderFailed(f"its subjects are no texts of 1 to {MAX_SUBJECT} characters")
    if not subject.isprintable():
        raise ProviderFailed("its subjects have control characters")


def _names(claims: Mapping[str, Any]) -> tuple[str, str]:
    texts = (claims.get("preferred_username"), claims.get("email"))
    username, email = (
        text if isinstance(text, str) and text.isprintable() and len(text) <= MAX_SUBJECT else ""
        for text in texts
    )
    return username, email


def _encode(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
