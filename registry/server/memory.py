"""Answers of `resolve` and `digests` from memory, ahead of Django.

Django computes every answer once: the long way. It is kept with the revision that was known when
its request arrived (`registry.server.revisions`), and given again for as long as that revision is
the last known one. So its bytes are those that the long way would send.

An answer depends on path, query, scheme, `Accept` and `If-None-Match`, if the Host is allowed and
the request has none of the headers in `LONG_WAY`. It does not depend on anything else.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.encoding import escape_uri_path

from registry import proxies
from registry.api.core.negotiation import ANY
from registry.api.core.problems import REQUEST_ID
from registry.middleware import MAX_PATH
from registry.server.answer_records import Answer, AnswerRecord, Records
from registry.server.large_responses import is_large
from registry.server.revisions import Revisions
from registry.server.rsgi import Scope
from registry.server.wsgi_calls import ROUTE, Environ, Response
from registry.services.core import usage
from registry.services.core.request_ids import new_request_id
from registry.services.versions.exporting import EXPORT_FORMATS

RESOLVE, DIGESTS = "/api/v1/resolve/", "/api/v1/digests/"
METHODS = frozenset({"GET", "HEAD"})
OVERHEAD = 1024  # bytes of an entry besides its texts, roughly

LONG_WAY = frozenset(
    {
        *("authorization", "cookie"),  # a token is checked; a session may change the answer
        *("cache-control", "pragma"),  # the client wants an answer from the database
        *("if-match", "if-modified-since", "if-unmodified-since"),
        *("content-length", "transfer-encoding"),  # a body, which may be too large
    }
)
READ = frozenset({"host", "accept", "if-none-match", "x-request-id", *proxies.HEADERS})

DEFAULT_FORMAT, *_ = EXPORT_FORMATS
FORMAT_BY_ACCEPT = {form.media_type: form.name for form in reversed([*EXPORT_FORMATS.values()])}
FORMAT_BY_ACCEPT |= {"": DEFAULT_FORMAT, ANY: DEFAULT_FORMAT}  # absent, or anything
FORMAT_BY_QUERY = {f"format={name}": name for name in EXPORT_FORMATS}

Keep = Callable[[Response, Environ], None]


class Key(NamedTuple):
    """The parts of a request that its answer depends on.

    `scheme` is that of a proxy; without one, all requests of a server have the same. `condition` is
    `If-None-Match`; empty if there is none.
    """

    path: str
    format: str
    scheme: str
    condition: str = ""


class Request(NamedTuple):
    """A request whose answer may be in memory."""

    method: str
    key: Key
    address: str
    request_id: str


class Entry(NamedTuple):
    """An answer, less its request id, and the memory that it takes."""

    response: Response
    etag: str
    answer: Answer
    size: int


class Memory:
    """The answers of one process, at most `max_bytes`; the least recently used make room.

    Call it on the event loop. It returns the response, or a function that keeps the response of the
    long way (any thread may call that), or None for a request that must go the long way.
    """

    def __init__(self, revisions: Revisions, records: Records, *, max_bytes: int) -> None:
        self._revisions = revisions
        self._records = records
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._revision: Hashable | None = None  # of all entries
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._size = 0

    def __call__(self, scope: Scope) -> Response | Keep | None:
        """Return the answer to a request, or how to keep it, or None."""
        start = time.perf_counter()
        request = read_request(scope)
        revision = self._revisions.current() if request else None
        if request is None or revision is None or self._records.is_full:
            return None
        method, key, address, request_id = request
        entry = self._find(key, revision)
        if entry is None:
            return partial(self._keep, key, revision) if method == "GET" else None
        (status, headers, body), _, answer, _ = entry
        seconds = time.perf_counter() - start
        self._records.add(AnswerRecord(answer, method, address, request_id, time.time(), seconds))
        return Response(status, [*headers, (REQUEST_ID, request_id)], body)

    def _find(self, key: Key, revision: Hashable) -> Entry | None:
        """Return the entry of a key, if it has the revision; forget those of another one."""
        with self._lock:
            if revision != self._revision:
                self._entries.clear()
                self._size, self._revision = 0, revision
                return None
            entry = self._entries.get(key)
            if entry is None and (condition := key.condition):
                key = key._replace(condition="")
                entry = self._entries.get(key)
                if entry is None or entry.etag in condition or "*" in condition:
                    return None  # Django decides whether this is a 304
            if entry:
                self._entries.move_to_end(key)
            return entry

    def _keep(self, key: Key, revision: Hashable, response: Response, environ: Environ) -> None:
        """Keep the answer of the long way to a request that arrived at a revision."""
        headers = dict(response.headers)
        is_plain = "Set-Cookie" not in headers and len(headers) == len(response.headers)
        if response.status not in (200, 304) or is_large(response) or not is_plain:
            return
        if response.status == 200:
            key = key._replace(condition="")
        headers.pop(REQUEST_ID)
        texts = [*key, *headers, *headers.values()]
        entry = Entry(
            response._replace(headers=list(headers.items())),
            headers["ETag"],
            Answer(
                escape_uri_path(key.path[:MAX_PATH]),
                environ[ROUTE],
                environ.get(usage.RESOLVED_TAG, ""),
                response.status,
                len(response.body),
            ),
            OVERHEAD + len(response.body) + sum(map(len, texts)),
        )
        with self._lock:
            if revision == self._revision:
                self._put(key, entry)

    def _put(self, key: Key, entry: Entry) -> None:
        previous = self._entries.pop(key, None)
        self._size += entry.size - (previous.size if previous else 0)
        self._entries[key] = entry
        while self._size > self._max_bytes:
            _, removed = self._entries.popitem(last=False)
            self._size -= removed.size


def read_request(scope: Scope) -> Request | None:
    """Return what the answer to a request depends on, or None if it must go the long way."""
    method, path = scope.method, scope.path
    if method not in METHODS or not path.startswith((RESOLVE, DIGESTS)):
        return None
    headers = _read_headers(tuple(scope.headers.items()))
    if headers is None:
        return None
    form = _format(path, scope.query_string, headers.get("accept", ""))
    if form is None or not _is_allowed(scope.authority or headers.get("host", "")):
        return None
    address, scheme = scope.client.rpartition(":")[0].strip("[]"), ""
    request_id = ""
    if settings.PROXIES:
        hop = _reported_hop(headers)
        address, scheme = hop.address or address, hop.scheme
        request_id = headers.get("x-request-id", "")
    key = Key(path, form, scheme, headers.get("if-none-match", ""))
    return Request(method, key, address, new_request_id(request_id))


@lru_cache(maxsize=256)  # most clients always send the same headers; they have 64 KiB at most
def _read_headers(pairs: tuple[tuple[str, str], ...]) -> Mapping[str, str] | None:
    """Return the headers that matter, or None if the request must go the long way."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        if name in LONG_WAY or name in headers:  # repeated ones would have to be joined
            return None
        if name in READ:
            headers[name] = value
    return headers


def _format(path: str, query: str, accept: str) -> str | None:
    """Return the format by its name; None if only the long way can tell it."""
    accepted = FORMAT_BY_ACCEPT.get(accept)
    if not query or accepted is None:
        return accepted
    return FORMAT_BY_QUERY.get(query) if path.startswith(RESOLVE) else None


def _reported_hop(headers: Mapping[str, str]) -> proxies.Hop:
    """Return the client's address and scheme as the outermost proxy reports them."""
    received = {proxies.HEADERS[name]: headers[name] for name in proxies.HEADERS.keys() & headers}
    return proxies.reported_hop(received, proxies=settings.PROXIES, headers=settings.PROXY_HEADERS)


@lru_cache(maxsize=128)
def _is_allowed(host: str) -> bool:
    """Return whether Django accepts a Host header."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
