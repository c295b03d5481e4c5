"""What pages say when there is no page: refusals of the services, and Django's own errors."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.http import urlencode

from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import EXPECTED
from registry.services import tracing
from registry.services.operation import metrics
from registry.services.problems import PROBLEMS, RETRY_AFTER

log = logging.getLogger(__name__)

MOST_NEAR = 5
LAST_RESORT = (
    "<!doctype html><html lang=en><title>A fault of the registry</title>"
    "<h1>A fault of the registry</h1><p>The request was in order; the registry failed."
)


@dataclass(frozen=True, slots=True)
class Near:
    """A name that may have been meant, and where it is."""

    text: str
    url: str


def refused(request: HttpRequest, refusal: Refused, **context: Any) -> HttpResponse:
    """The page for a request that a service refused; it names what may have been meant."""
    problem = PROBLEMS[refusal.code]
    metrics.refused(refusal.code)
    context = {
        "request_id": tracing.request_id(),
        "code": refusal.code,
        "title": problem.title,
        "detail": refusal.detail,
        "expected": EXPECTED if refusal.code is Code.REFERENCE_INVALID else "",
        "near": list(_near(refusal))[:MOST_NEAR],
        **context,
    }
    response = render(request, "registry/errors/refused.html", context, status=problem.status)
    if refusal.code is Code.BUSY:
        response["Retry-After"] = str(RETRY_AFTER)
    return response


def _near(refusal: Refused) -> Iterator[Near]:
    for text in refusal.suggestions:
        if refusal.code is Code.KIND_UNKNOWN:
            yield Near(text, reverse("kind", args=[text]))
        elif refusal.code is Code.NAMESPACE_UNKNOWN:
            yield Near(text, f"{reverse('home')}?{urlencode({'namespace': text})}")
        else:
            yield Near(text, reverse("tag", args=[text]))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 of Django's own, such as a host name that is not ours."""
    return _plain(request, 400, "Not a valid request", "The request could not be read.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 of Django's own."""
    return _plain(request, 403, "Not allowed", "You may not do this here.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 of a path that no page has."""
    return _plain(request, 404, "No such page", f"There is no page at {echo(request.path)}.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500. Asks neither the database nor context processors, which may be what failed."""
    context = {"request": request, "request_id": tracing.request_id()}
    try:
        page = loader.get_template("registry/errors/500.html").render(context)
    except Exception:
        log.exception("The page that says so failed, too")
        page = f"{LAST_RESORT}<p>Request <code>{tracing.request_id()}</code>"
    return HttpResponse(page, status=500, headers={"Cache-Control": "no-store"})


def _plain(request: HttpRequest, status: int, title: str, detail: str) -> HttpResponse:
    context = {
        "request": request,
        "request_id": tracing.request_id(),
        "title": title,
        "detail": detail,
    }
    page = loader.get_template("registry/errors/plain.html").render(context)
    return HttpResponse(page, status=status, headers={"Cache-Control": "no-store"})
