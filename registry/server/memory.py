"""Answers of `resolve` and `digests` from memory, ahead of Django.

Django computes every answer once: the long way. It is given again until one of the tags that it was
read from changes, as the revisions tell (`registry.server.revisions`): counted from the one that
was known when its request arrived. So its bytes are those that the long way would send.

An answer depends on path, query, scheme, `Accept` and `If-None-Match`, if the Host is allowed and
the request has none of the headers in `LONG_WAY`. It does not depend on anything else.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import chain

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from registry.api.core.negotiation import ANY
from registry.http import proxies
from registry.http.access_log import Answer, logged_path
from registry.http.names import ANSWER_TAGS, POSITION, READ_METHODS, REQUEST_ID, ROUTE
from registry.server.answer_records import Records
from registry.server.client_addresses import client_hop, socket_address
from registry.server.kept_answers import (
    TAG_OVERHEAD,
    Answered,
    Head,
    KeptAnswers,
    Key,
    Request,
    StoredAnswer,
)
from registry.server.large_responses import is_large
from registry.server.request_heads import is_readable
from registry.server.revisions import Revision, Revisions
from registry.server.rsgi import RsgiScope
from registry.server.wsgi_calls import Environ, Keep, Response
from registry.services.core import metrics, usage
from registry.services.core.request_ids import accepted_id, new_id
from registry.services.versions.exporting import EXPORT_FORMATS

RESOLVE, DIGESTS = "/api/v1/resolve/", "/api/v1/digests/"
OVERHEAD = 1024  # bytes of an entry besides its texts, roughly

LONG_WAY = frozenset(
    {
        *("authorization", "cookie"),  # a token is checked; a session may change the answer
        POSITION.lower(),  # what this process knows may be older
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

MAX_REPEATED_HEAD = 1024  # characters of the headers that are compared as a whole


class Memory:
    """The answers of one process, at most `max_bytes`.

    Call it on the event loop. It returns the response, or a function that keeps the response of the
    long way (any thread may call that), or None for a request that must go the long way.
    """

    def __init__(self, revisions: Revisions, records: Records, *, max_bytes: int) -> None:
        self._revisions = revisions
        self._records = records
        self._revision: Revision | None = None  # of all answers
        self.answers = KeptAnswers(max_bytes)

    def __call__(self, scope: RsgiScope) -> Response | Keep | None:
        """Return the answer to a request, or how to keep it, or None."""
        start = time.perf_counter()
        revision = self._revisions.current()
        if revision is None or self._records.is_full:
            metrics.count_lookups("unknown")
            return None
        if revision != self._revision:
            self._forget(revision)
        method, headers, authority = scope.method, scope.headers, scope.authority
        lines = tuple(headers.items())
        request = (method, scope.path, scope.query_string, authority, len(headers), lines)
        answered = self.answers.repeated(request)
        if answered is None:
            head = read_head(request)
            if head is None:
                return None
            answered = self._find(request, head)
            if answered is None:
                metrics.count_lookups("miss")
                keep = partial(self._keep, head.key, self.answers.moment)
                return keep if method == "GET" else None
        (status, fields, body), answer, (_, address, request_id) = answered
        request_id = request_id or new_id()
        address = address or socket_address(scope.client)
        self._records.add(answer, address, request_id, time.perf_counter() - start)
        return Response(status, [*fields, (REQUEST_ID, request_id)], body)

    def _forget(self, revision: Revision) -> None:
        """Forget the answers of the tags that have changed since the last revision."""
        last, self._revision = self._revision, revision
        self.answers.forget(self._revisions.changed_tags(last, revision) if last else None)

    def _find(self, request: Request, head: Head) -> Answered | None:
        """Return what answers a request with this head, and remember it for the same request."""
        key = head.key
        entry = self.answers.find(key)
        if entry is None and (condition := key[-1]):
            key = _unconditional(key)
            entry = self.answers.find(key)
            if entry is None or entry.etag in condition or "*" in condition:
                return None  # Django decides whether this is a 304
        if entry is None:
            return None
        method, *_, lines = request
        answered = entry.response, entry.answers[method], head
        if not head.request_id and sum(map(len, chain(*lines))) <= MAX_REPEATED_HEAD:
            self.answers.remember(request, key, answered)
        return answered

    def _keep(self, key: Key, moment: int, response: Response, environ: Environ) -> None:
        """Keep the answer of the long way to a request that arrived at a moment."""
        headers = dict(response.headers)
        is_plain = "Set-Cookie" not in headers and len(headers) == len(response.headers)
        if response.status not in (200, 304) or is_large(response) or not is_plain:
            return
        if response.status == 200:
            key = _unconditional(key)
        headers.pop(REQUEST_ID)
        texts = [*key, *headers, *headers.values()]
        tags: frozenset[str] | None = environ.get(ANSWER_TAGS)
        answer = Answer(
            "GET",
            logged_path(key[0]),
            environ[ROUTE],
            environ.get(usage.RESOLVED_TAG, ""),
            response.status,
            len(response.body),
        )
        entry = StoredAnswer(
            response._replace(headers=list(headers.items())),
            headers["ETag"],
            {"GET": answer, "HEAD": replace(answer, method="HEAD", tag="", size=0)},
            tags,
            OVERHEAD + TAG_OVERHEAD * len(tags or ()) + len(response.body) + sum(map(len, texts)),
        )
        self.answers.put(key, entry, moment)


def _unconditional(key: Key) -> Key:
    return (*key[:-1], "")


def read_head(request: Request) -> Head | None:
    """Return what the answer to a request depends on, or None if it must go the long way."""
    method, path, query, authority, names, lines = request
    if method not in READ_METHODS or not path.startswith((RESOLVE, DIGESTS)):
        return None
    if not is_readable(names, lines):
        return None
    headers: dict[str, str] = {}
    for name, value in lines:
        if name in LONG_WAY or name in headers:  # repeated ones would have to be joined
            return None
        if name in READ:
            headers[name] = value
    form = FORMAT_BY_ACCEPT.get(headers.get("accept", ""))
    if query and form:
        form = FORMAT_BY_QUERY.get(query) if path.startswith(RESOLVE) else None
    host = headers.get("host", "")
    if form is None or not host or not _is_allowed(authority or host):
        return None
    condition = headers.get("if-none-match", "")
    if not settings.PROXIES:
        return Head((path, form, "", condition))
    hop = client_hop(headers)
    request_id = accepted_id(headers.get("x-request-id", ""))
    return Head((path, form, hop.scheme, condition), hop.address, request_id)


def _is_allowed(host: str) -> bool:
    """Return whether Django accepts a Host header."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
