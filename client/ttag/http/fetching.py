"""Reads over HTTP that go through the cache."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeVar

from ttag.errors import NotFound, NotLocked, Refused, Tampered, Unreachable
from ttag.http.cache import Cache, CachedResponse
from ttag.http.transport import Response, Transport

KEPT_HEADERS = ("content-type", "etag", "target-dropped", "target-version", "target-digest")
MAX_AGE = re.compile(r"max-age=([0-9]{1,9})")

R = TypeVar("R")


@dataclass(frozen=True)
class Fetcher:
    """GET requests to one server, whose responses are cached. Several threads may share it.

    If the server cannot be reached, the cached response is returned, and `warn` is called with a
    sentence. If `offline`, the server is never asked. `has_files`: it is a web server with plain
    files, so that a response 404 means that there is no such file.
    """

    transport: Transport
    cache: Cache | None = None
    offline: bool = False
    warn: Callable[[str], None] = lambda sentence: None
    has_files: bool = False

    def get(self, path: str, *, is_immutable: bool = False) -> Response:
        """Return the response to a GET: from the cache while it is valid, else revalidated.

        What is immutable is never revalidated. Raises as `Transport.request` does, `NotLocked` for
        what the cache lacks offline, and `Unreachable` if there is no cache then.
        """
        return self.read(path, lambda response: response, is_immutable=is_immutable)

    def find(
        self,
        path: str,
        check: Callable[[Response], None] = lambda response: None,
        *,
        is_immutable: bool = False,
    ) -> bytes | None:
        """Return the body of the response to a GET, or None for 404. Raises as `get` does.

        Nothing that `check` raises an error for is cached.
        """

        def body_of(response: Response) -> bytes:
            check(response)
            return response.body

        try:
            return self.read(path, body_of, is_immutable=is_immutable)
        except NotFound:
            return None
        except Refused as refusal:
            if refusal.status == HTTPStatus.NOT_FOUND:
                return None
            raise

    def read(
        self,
        path: str,
        read: Callable[[Response], R],
        *,
        is_immutable: bool = False,
        floating: str = "",
    ) -> R:
        """Return what `read` makes of the response to a GET. Raises as `get` and `read` do.

        A response that `read` refuses is not stored; if it was, the server is asked again.
        `floating` names what is asked if its answer changes: offline, the age is told.
        """
        url = f"{self.transport.address}{path}"
        cached = self.cache.find(url) if self.cache else None
        # Files are revalidated, whatever a web server says of their age (docs/mirrors.md).
        is_fresh = cached and not self.has_files and cached.is_fresh(time.time())
        if cached and (is_immutable or self.offline or is_fresh):
            try:
                result = read(_as_response(cached))
            except Tampered:
                if self.offline:
                    raise
                cached = None
            else:
                if self.offline and floating:
                    self.warn(f"{floating} is in the cache as it was on {_day(cached.stored)}.")
                return result
        if self.offline and self.cache is None:
            raise Unreachable(f"{url} has to be asked for, but ttag is offline.")
        if self.offline:
            raise NotLocked(f"{url} is not in the cache, and ttag is offline.")
        asking = self
        if is_immutable and self.transport.no_cache:  # only what can change is asked of the server
            asking = replace(self, transport=replace(self.transport, no_cache=False))
        response, is_new = asking._ask(path, cached)
        result = read(response)
        if self.cache and is_new:
            kept = {name: value for name in KEPT_HEADERS if (value := response.headers.get(name))}
            self.cache.store(url, kept, response.body, max_age=_max_age(response))
        return result

    def _ask(self, path: str, cached: CachedResponse | None) -> tuple[Response, bool]:
        """Return the response of the server, and true; or else the cached one, and false."""
        headers = {"If-None-Match": cached.etag} if cached and cached.etag else {}
        try:
            response = self.transport.request("GET", path, headers=headers)
        except Unreachable as error:
            if cached is None or (self.has_files and isinstance(error, NotFound)):
                raise
            self.warn(f"{error} What it said on {_day(cached.stored)} is used instead.")
            return _as_response(cached), False
        if response.status != HTTPStatus.NOT_MODIFIED:
            return response, True
        if cached is None:
            url = f"{self.transport.address}{path}"
            raise Unreachable(f"{url} responded 304 to a request without an ETag.")
        return Response(200, {**cached.headers, **response.headers}, cached.body), True


def _as_response(cached: CachedResponse) -> Response:
    return Response(200, cached.headers, cached.body)


def _max_age(response: Response) -> int:
    match = MAX_AGE.search(response.headers.get("cache-control", ""))
    return int(match[1]) if match else 0


def _day(seconds: float) -> str:
    return time.strftime("%d %B %Y at %H:%M", time.localtime(seconds))
