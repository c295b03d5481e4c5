"""GET docs/run: runs a GET of the reference for its reader, and shows the answer.

Without a script: the reference has a form for each GET, which leads here.
"""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from registry.api.core.docs import PREFIX, Operation, Parameter, operations
from registry.http.caching import CachePolicy, set_policy

OPERATION = "operation"  # the parameter that names it
SAFE_IN_PATH = "/:@.~"  # as references are written
MAX_SHOWN = 20_000  # characters of an answer; the command fetches all of it
SHOWN_HEADERS = ("Content-Type", "ETag", "Target-Version", "Target-Digest", "Content-Location")
# The answer may depend on these. No cookie and no token: anybody would get the same.
KEPT_META = ("REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "wsgi.url_scheme")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the API, as its reader sees it."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    text: str
    is_truncated: bool


@gzip_page
@require_safe
def run(request: HttpRequest) -> HttpResponse:
    """Show the command for an operation, and what it answers."""
    runnable = {each.anchor: each for each in operations() if each.method == "GET"}
    operation = runnable.get(request.GET.get(OPERATION, ""))
    context: dict[str, Any]
    if operation is None:
        context = {"section": "api", "anchors": [*runnable]}
        return _page(request, context, HTTPStatus.NOT_FOUND)
    values = _values(request.GET)
    missing = [each.name for each in operation.inputs if each.required and not values[each.name]]
    path, query = _address(operation, values)
    url = request.build_absolute_uri(path) + (f"?{query}" if query else "")
    context = {
        "section": "api",
        "operation": operation,
        "parameters": [*_inputs(operation, values)],
        "missing": missing,
        "url": url,
        "command": f"curl -sS -i {shlex.quote(url)}",
        "answer": None if missing else _answer(request, path, query),
    }
    return _page(request, context, HTTPStatus.BAD_REQUEST if missing else HTTPStatus.OK)


def _page(request: HttpRequest, context: Mapping[str, Any], status: HTTPStatus) -> HttpResponse:
    response = render(request, "registry/docs/run.html", {**context}, status=status)
    return set_policy(response, CachePolicy.PERSONAL)


def _values(query: QueryDict) -> defaultdict[str, list[str]]:
    """Return the values of each parameter, also of those that the operation lacks.

    Whether they are too many, too long or unknown is for the API to say.
    """
    values: defaultdict[str, list[str]] = defaultdict(list)
    for name, texts in query.lists():
        if name != OPERATION:
            values[name] = [text.strip() for text in texts if text.strip()]
    return values


def _inputs(
    operation: Operation, values: Mapping[str, list[str]]
) -> Iterator[tuple[Parameter, str]]:
    """Yield the inputs of the form: one for each value, and another one if it repeats."""
    for parameter in operation.inputs:
        texts = values.get(parameter.name) or [""]
        spare = [""] if parameter.is_repeated and texts != [""] else []
        yield from ((parameter, text) for text in texts + spare)


def _address(operation: Operation, values: Mapping[str, list[str]]) -> tuple[str, str]:
    """Return the path and the query of an operation with values."""
    path, query = PREFIX + operation.path, {**values}
    for parameter in operation.inputs:
        if parameter.location == "path":
            *others, text = query.pop(parameter.name, None) or [""]
            path = path.replace(f"{{{parameter.name}}}", quote(text, safe=SAFE_IN_PATH))
            query |= {parameter.name: others} if others else {}
    return path, urlencode(query, doseq=True, safe=SAFE_IN_PATH)


def _answer(request: HttpRequest, path: str, query: str) -> Answer:
    """Return what the API answers to anybody: neither cookies nor tokens are passed on."""
    kept = {name: request.META[name] for name in KEPT_META if name in request.META}
    meta = {
        **kept,
        "REQUEST_METHOD": "GET",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),  # as servers hand it over
        "QUERY_STRING": query,
        "wsgi.input": BytesIO(),
    }
    inner = WSGIRequest(meta)
    try:
        match = resolve(inner.path_info)
    except Resolver404:
        return Answer(404, "Not Found", [], "There is no such path.", is_truncated=False)
    inner.resolver_match = match
    return _shown(match.func(inner, *match.args, **match.kwargs))


def _shown(response: Any) -> Answer:
    if hasattr(response, "render") and not response.is_rendered:
        response.render()
    is_stream = isinstance(response, StreamingHttpResponse)
    content = b"".join(response) if is_stream else response.content
    text = "\n".join(_lines(content))
    return Answer(
        response.status_code,
        response.reason_phrase,
        [(name, response[name]) for name in SHOWN_HEADERS if response.has_header(name)],
        text[:MAX_SHOWN],
        len(text) > MAX_SHOWN,
    )


def _lines(content: bytes) -> Iterator[str]:
    """Yield the lines of an answer; JSON is indented."""
    text = content.decode(errors="replace")
    try:
        yield json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        yield text
