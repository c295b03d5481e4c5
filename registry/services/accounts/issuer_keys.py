"""Fetches the keys with which OpenID Connect providers sign identity tokens, and keeps them."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPException
from threading import Lock, Thread
from typing import Any
from urllib.request import Request

import jwt

from registry.domain.errors import Code, Refused
from registry.domain.identity_claims import is_trustworthy
from registry.services.core.timed_http import TimedOpener

DISCOVERY = "/.well-known/openid-configuration"
TIMEOUT = 5  # seconds for each step of a request
DEADLINE = 10  # seconds for all of it: looking up the keys' address, and fetching them
MAX_RESPONSE = 256 * 1024  # bytes; GitHub's keys take 8 KiB
LIFETIME = 3600  # seconds; a key that an issuer has withdrawn is trusted no longer than this
REFRESHED_AFTER = 3000  # seconds, so that no request finds expired keys
RETRY = 60  # seconds between two attempts, whatever keys are asked for
ALGORITHMS = ("RS256", "ES256")  # with public keys; all providers support the first

logger = logging.getLogger("registry.trusted_publishing")

Keys = Mapping[str | None, jwt.PyJWK]


class FetchFailed(Exception):
    """A provider did not return its keys; the text says why."""


def find_key(keys: Keys, key_id: str | None) -> jwt.PyJWK | None:
    """Return a key by its id. Without an id, return the only key."""
    if key_id is None and len(keys) == 1:
        return next(iter(keys.values()))
    return keys.get(key_id)


@dataclass(frozen=True, slots=True)
class FetchedKeys:
    """The keys of an issuer; when they were fetched, and when that was last tried."""

    keys: Keys
    fetched: float
    tried: float

    def current_key(self, key_id: str | None, now: float) -> jwt.PyJWK | None:
        """Return a key that may be used now, as `find_key` finds it."""
        return None if self.is_expired(now) else find_key(self.keys, key_id)

    def is_expired(self, now: float) -> bool:
        """Return whether the keys are too old to be trusted."""
        return now - self.fetched >= LIFETIME


NEVER_FETCHED = FetchedKeys({}, fetched=-math.inf, tried=-math.inf)


def _start_thread(fetch: Callable[[], None]) -> None:
    Thread(target=fetch, name="issuer-keys", daemon=True).start()


# Decision 161: a provider that is slow holds neither a request nor another provider.
class IssuerKeys:
    """The keys of the issuers that tokens name, in this process. Several threads may share it.

    They are fetched in a thread for each issuer; nobody waits for it.
    """

    def __init__(
        self,
        fetch: Callable[[str], Keys],
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[Callable[[], None]], None] = _start_thread,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._start = start
        self._fetched: dict[str, FetchedKeys] = {}
        self._running: set[str] = set()  # issuers that are asked now
        self._lock = Lock()  # never held while an issuer is asked

    def find(self, issuer: str, key_id: str | None) -> jwt.PyJWK | None:
        """Return a key of an issuer by its id, or None. Without an id, return the only key.

        An unknown id lets keys be fetched, at most once a minute. Raises `Refused` (BUSY) while
        they are, and if the issuer does not return them.
        """
        now = self._clock()
        if self._known(issuer).current_key(key_id, now) is None:
            self._start_fetch(issuer)
        with self._lock:
            known, is_running = self._known(issuer), issuer in self._running
        if key := known.current_key(key_id, now):
            return key
        if is_running:
            raise Refused(
                Code.BUSY, f"The keys of {issuer} are being fetched; try again in a few seconds."
            )
        if known.is_expired(now):
            raise Refused(Code.BUSY, f"The keys of {issuer} cannot be fetched now.")
        return None

    def refresh(self, issuers: Iterable[str]) -> None:
        """Let keys be fetched that are unknown, or expire soon."""
        soon = self._clock() + LIFETIME - REFRESHED_AFTER
        for issuer in issuers:
            if self._known(issuer).is_expired(soon):
                self._start_fetch(issuer)

    def _known(self, issuer: str) -> FetchedKeys:
        return self._fetched.get(issuer, NEVER_FETCHED)

    def _start_fetch(self, issuer: str) -> None:
        """Ask an issuer for its keys, unless that is being done or was tried a minute ago."""
        with self._lock:
            known, now = self._known(issuer), self._clock()
            if issuer in self._running or now - known.tried < RETRY:
                return
            self._running.add(issuer)
            self._fetched[issuer] = replace(known, tried=now)
        self._start(partial(self._run_fetch, issuer, now))

    def _run_fetch(self, issuer: str, now: float) -> None:
        """Keep the keys that an issuer returns; if it fails, keep those that are known."""
        try:
            keys = FetchedKeys(self._fetch(issuer), fetched=now, tried=now)
            with self._lock:
                self._fetched[issuer] = keys
        except FetchFailed as failure:
            logger.warning("The keys of %s cannot be fetched: %s", issuer, failure)
        finally:
            with self._lock:
                self._running.discard(issuer)


def fetch_keys(issuer: str) -> Keys:
    """Return the public keys of an issuer by their ids (OpenID Connect Discovery 1.0).

    Raises `FetchFailed`.
    """
    with TimedOpener(DEADLINE) as opener:
        return fetch_key_set(discover(issuer, opener).get("jwks_uri"), opener)


def discover(issuer: str, opener: TimedOpener) -> dict[str, Any]:
    """Return the discovery document of an issuer. Raises `FetchFailed`."""
    document = fetch_json(issuer.rstrip("/") + DISCOVERY, opener)
    if document.get("issuer") != issuer:
        raise FetchFailed(f"its discovery document names the issuer {document.get('issuer')!r}")
    return document


def fetch_key_set(address: object, opener: TimedOpener) -> Keys:
    """Return the public keys at the address that an issuer names. Raises `FetchFailed`."""
    if not isinstance(address, str) or not is_trustworthy(address):
        raise FetchFailed(f"the address of its keys, {address!r}, is not an https URL")
    rows = fetch_json(address, opener).get("keys")
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


def fetch_json(request: str | Request, opener: TimedOpener) -> dict[str, Any]:
    """Return the JSON object that answers a request, within limits of time and size.

    Raises `FetchFailed`.
    """
    address = request if isinstance(request, str) else request.full_url
    try:
        with opener.open(request, timeout=TIMEOUT) as response:
            body = response.read(MAX_RESPONSE + 1)
        if len(body) > MAX_RESPONSE:
            raise FetchFailed(f"{address} has more than {MAX_RESPONSE} bytes")
        document = json.loads(body)
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        if opener.is_over:
            raise FetchFailed(f"{address} took more than {opener.seconds:g} s") from error
        raise FetchFailed(f"{address}: {error}") from error
    if not isinstance(document, dict):
        raise FetchFailed(f"{address} is not a JSON object")
    return document


issuer_keys = IssuerKeys(fetch_keys)
