"""Fetches the keys with which OpenID Connect providers sign identity tokens, and keeps them."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from threading import Lock
from typing import Any
from urllib.request import HTTPRedirectHandler, build_opener

import jwt

from registry.domain.errors import Code, Refused
from registry.domain.identity_claims import is_trustworthy

DISCOVERY = "/.well-known/openid-configuration"
TIMEOUT = 5  # seconds for each step of a request; a thread of the server waits
DEADLINE = 10  # seconds for a whole response
MAX_RESPONSE = 256 * 1024  # bytes; GitHub's keys take 8 KiB
CHUNK = 16 * 1024
LIFETIME = 3600  # seconds; a key that an issuer has withdrawn is trusted no longer than this
RETRY = 60  # seconds between two attempts, whatever keys are asked for
ALGORITHMS = ("RS256", "ES256")  # with public keys; all providers support the first

logger = logging.getLogger("registry.trusted_publishing")

Keys = Mapping[str | None, jwt.PyJWK]


class FetchFailed(Exception):
    """A provider did not return its keys; the text says why."""


@dataclass(frozen=True, slots=True)
class FetchedKeys:
    """The keys of an issuer; when they were fetched, and when that was last tried."""

    keys: Keys
    fetched: float
    tried: float

    def find(self, key_id: str | None) -> jwt.PyJWK | None:
        """Return a key by its id. Without an id, return the only key."""
        if key_id is None and len(self.keys) == 1:
            return next(iter(self.keys.values()))
        return self.keys.get(key_id)


NEVER_FETCHED = FetchedKeys({}, fetched=-math.inf, tried=-math.inf)


class IssuerKeys:
    """The keys of the issuers that tokens name, in this process. Several threads may share it."""

    def __init__(
        self, fetch: Callable[[str], Keys], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._fetched: dict[str, FetchedKeys] = {}
        self._lock = Lock()

    def find(self, issuer: str, key_id: str | None) -> jwt.PyJWK | None:
        """Return a key of an issuer by its id, or None. Without an id, return the only key.

        Keys are fetched every hour, and for an unknown id, but at most once a minute. Raises
        `Refused` (BUSY) if the issuer does not return them.
        """
        with self._lock:
            known = self._fetched.get(issuer, NEVER_FETCHED)
            now = self._clock()
            is_stale = now - known.fetched >= LIFETIME
            if (is_stale or known.find(key_id) is None) and now - known.tried >= RETRY:
                known = self._fetched[issuer] = self._refresh(issuer, known, now)
        if not known.keys:
            raise Refused(Code.BUSY, f"The keys of {issuer} cannot be fetched now.")
        return known.find(key_id)

    def _refresh(self, issuer: str, known: FetchedKeys, now: float) -> FetchedKeys:
        """Return newly fetched keys; if that fails, the known ones until they are an hour old."""
        try:
            return FetchedKeys(self._fetch(issuer), fetched=now, tried=now)
        except FetchFailed as failure:
            logger.warning("The keys of %s cannot be fetched: %s", issuer, failure)
        if now - known.fetched >= LIFETIME:
            return replace(NEVER_FETCHED, tried=now)
        return replace(known, tried=now)


def fetch_keys(issuer: str) -> Keys:
    """Return the public keys of an issuer by their ids (OpenID Connect Discovery 1.0).

    Raises `FetchFailed`.
    """
    document = _fetch_json(issuer.rstrip("/") + DISCOVERY)
    if document.get("issuer") != issuer:
        raise FetchFailed(f"its discovery document names the issuer {document.get('issuer')!r}")
    address = document.get("jwks_uri")
    if not isinstance(address, str) or not is_trustworthy(address):
        raise FetchFailed(f"the address of its keys, {address!r}, is not an https URL")
    rows = _fetch_json(address).get("keys")
    if not isinstance(rows, list):
        raise FetchFailed(f"{address} holds no keys")
    keys = {row.get("kid"): key for row in rows if (key := _signing_key(row))}
    if not keys:
        raise FetchFailed(f"{address} holds no key that signs")
    return keys


def _signing_key(row: Any) -> jwt.PyJWK | None:
    """Return a key of a key set (RFC 7517), or None if it signs nothing that we accept."""
    if not isinstance(row, dict) or row.get("use", "sig") != "sig":
        return None
    try:
        key = jwt.PyJWK.from_dict(row)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None  # of a curve or form that we do not know
    return key if key.algorithm_name in ALGORITHMS else None


class _NoRedirects(HTTPRedirectHandler):
    """Rejects redirects: keys come from the address that the operator has chosen."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _fetch_json(address: str) -> dict[str, Any]:
    """Return the JSON object at an address, within limits of time and size."""
    deadline = time.monotonic() + DEADLINE
    chunks: list[bytes] = []
    try:
        with build_opener(_NoRedirects).open(address, timeout=TIMEOUT) as response:
            while chunk := response.read1(CHUNK):
                chunks.append(chunk)
                if sum(map(len, chunks)) > MAX_RESPONSE:
                    raise FetchFailed(f"{address} has more than {MAX_RESPONSE} bytes")
                if time.monotonic() > deadline:
                    raise FetchFailed(f"{address} took more than {DEADLINE} s")
        document = json.loads(b"".join(chunks))
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise FetchFailed(f"{address}: {error}") from error
    if not isinstance(document, dict):
        raise FetchFailed(f"{address} is not a JSON object")
    return document


issuer_keys = IssuerKeys(fetch_keys)
