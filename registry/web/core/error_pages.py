"""Error pages: for refusals of the services and for Django's own errors."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.urls import reverse

from registry.domain.errors import TEMPORARY_CODES, Code, Refused, echo
from registry.domain.names.choices import InvalidChoice
from registry.domain.reference import Reference
from registry.http.caching import CachePolicy, set_policy
from registry.http.near_paths import near_paths
from registry.http.problems import PROBLEMS, retry_after
from registry.http.typed_fields import typed_fields
from registry.services.core import cursors, metrics, request_ids
from ttag_rules.names import EXPECTED, RESERVED_ENDINGS

log = logging.getLogger(__name__)

MAX_SUGGESTIONS = 5
NAMESPACE = "namespace"  # the parameter that filters lists
MAX_SEARCH = 200  # characters, as in the search field
SEARCHABLE = frozenset({Code.TAG_UNKNOWN, Code.REFERENCE_INVALID})
FILTERING = frozenset({Code.FILTER_INVALID, Code.REQUEST_INVALID})  # wrong parameters
FALLBACK_PAGE = (
    "<!doctype html><html lang=en><title>Server error</title>"
    "<h1>Server error</h1><p>The request was valid, but the registry failed."
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A link to a name that the user may have meant."""

    text: str
    url: str


def refusal_page(
    request: HttpRequest,
    refusal: Refused,
    *,
    template: str = "registry/errors/refusal.html",
    **context: Any,
) -> HttpResponse:
    """Render the error page for a refusal.

    Pages that keep the input pass their own template and context.
    """
    problem = PROBLEMS[refusal.code]
    metrics.count_refusal(refusal.code)
    context = {
        "request_id": request_ids.request_id(),
        "code": refusal.code,
        "title": problem.title,
        "detail": refusal.detail,
        "expected": EXPECTED if refusal.code is Code.REFERENCE_INVALID else "",
        "suggestions": list(_suggestions(request, refusal))[:MAX_SUGGESTIONS],
        "search_link": _path_search_link(request) if refusal.code in SEARCHABLE else None,
        "reset_url": quote(request.path) if request.GET and refusal.code in FILTERING else "",
        "repeated_parameters": (),  # nothing was read
        "has_input": request.method == "POST" and refusal.code in TEMPORARY_CODES,
        # Such as by a member whose role ended. What is too large is not read.
        "typed": [] if refusal.code is Code.TOO_LARGE else list(typed_fields(request.POST)),
        **(_submit_context(request) if refusal.code is Code.TAG_UNKNOWN else {}),
        **context,
    }
    response = render(request, template, context, status=problem.status)
    if seconds := retry_after(refusal):
        response["Retry-After"] = str(seconds)
    return response


def _suggestions(request: HttpRequest, refusal: Refused) -> Iterator[Suggestion]:
    if isinstance(refusal, InvalidChoice):
        is_short = len(refusal.choices) <= MAX_SUGGESTIONS
        for text in refusal.suggestions or (refusal.choices if is_short else ()):
            yield Suggestion(text, _url_with(request, refusal.parameter, refusal.text, text))
        return
    for text in refusal.suggestions:
        if refusal.code is Code.KIND_UNKNOWN:
            yield Suggestion(text, reverse("kind", args=[text]))
        elif refusal.code is Code.NAMESPACE_UNKNOWN and NAMESPACE in request.GET:
            yield Suggestion(text, _url_with(request, NAMESPACE, request.GET[NAMESPACE], text))
        elif refusal.code is Code.NAMESPACE_UNKNOWN:
            yield Suggestion(text, reverse("namespace", args=[text]))
        elif refusal.code is Code.ROUTE_UNKNOWN:
            yield Suggestion(text, quote(text))
        else:
            yield Suggestion(text, reverse("tag", args=[text]))


def _url_with(request: HttpRequest, parameter: str, old: str, new: str) -> str:
    """Return the URL of the first page of the request, with another text in a parameter."""
    query = request.GET.copy()
    query.setlist(parameter, [text.replace(old, new, 1) for text in query.getlist(parameter)])
    query.pop(cursors.PARAMETER, None)
    return f"{quote(request.path)}?{query.urlencode()}"


def _path_search_link(request: HttpRequest) -> Suggestion | None:
    """Return a link to a search for the reference in the path."""
    if not request.resolver_match or "reference" not in request.resolver_match.kwargs:
        return None
    text = request.path.lstrip("/").partition("/")[2]
    for ending in RESERVED_ENDINGS:
        text = text.removesuffix(ending)
    return _search_link(text)


def _search_link(text: str) -> Suggestion | None:
    text = "".join(character for character in text if character.isprintable()).strip()[:MAX_SEARCH]
    return Suggestion(echo(text), reverse("home", query={"q": text})) if text else None


def _submit_context(request: HttpRequest) -> dict[str, str]:
    """Return the submit URL for the missing tag and a `curl` command that checks a first body."""
    reference = request.resolver_match.kwargs.get("reference") if request.resolver_match else None
    if not isinstance(reference, Reference) or not reference.is_tag:
        return {}
    url = request.build_absolute_uri(reverse("api:check"))
    body = json.dumps({"tag": reference.text, "target": {"kind": "llvm"}})  # tags have no quotes
    return {
        "submit_url": reverse("submit", query={"tag": reference.text}),
        "check_command": f"curl -fsS '{url}' -H 'Content-Type: application/json' -d '{body}'",
    }


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle Django's own 400, such as a disallowed host."""
    return _plain_page(request, 400, "Bad request", "The request could not be parsed.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle Django's own 403."""
    return _plain_page(request, 403, "Forbidden", "You do not have permission to do this.")


def not_found(
    request: HttpRequest, exception: Exception, near_tags: Iterable[str] = ()
) -> HttpResponse:
    """Handle a 404 for a path that matches no route."""
    detail = f"There is no page at {echo(request.path)}."
    paths = [Suggestion(echo(path), quote(path)) for path in near_paths(request.path)]
    context = {
        "search_link": _search_link(request.path.strip("/")),
        "suggestions": paths or [Suggestion(tag, reverse("tag", args=[tag])) for tag in near_tags],
    }
    return _plain_page(request, 404, "Page not found", detail, **context)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle a 500 without the database or context processors, which may have failed."""
    context = {"request": request, "request_id": request_ids.request_id()}
    try:
        page = loader.get_template("registry/errors/500.html").render(context)
    except Exception:
        log.exception("The error page could not be rendered")
        page = f"{FALLBACK_PAGE}<p>Request <code>{request_ids.request_id()}</code>"
    return set_policy(HttpResponse(page, status=500), CachePolicy.NO_STORE)


def unavailable(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Return the page for a database that is busy, away or cannot write, without using it."""
    metrics.count_refusal(refusal.code)
    problem = PROBLEMS[refusal.code]
    response = _plain_page(
        request,
        problem.status,
        problem.title,
        refusal.detail,
        code=refusal.code,
        has_input=request.method == "POST",
    )
    response["Retry-After"] = str(retry_after(refusal))
    return response


def _plain_page(
    request: HttpRequest, status: int, title: str, detail: str, **context: Any
) -> HttpResponse:
    context = {
        "request": request,
        "request_id": request_ids.request_id(),
        "title": title,
        "detail": detail,
        **context,
    }
    page = loader.get_template("registry/errors/plain.html").render(context)
    return set_policy(HttpResponse(page, status=status), CachePolicy.NO_STORE)
