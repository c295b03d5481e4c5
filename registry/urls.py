"""The root URLconf: API, probes, admin, pages and error handlers."""

from __future__ import annotations

import sys

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from registry.api.core import health, problems
from registry.domain.errors import Code, Refused
from registry.http.names import API
from registry.middleware import unavailable
from registry.web.core import error_pages, other_spellings
from registry.web.urls import urlpatterns as pages

admin.autodiscover()
urlpatterns = [
    path("api/v1/", include("registry.api.urls")),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics_page),
    path("admin/", admin.site.urls),
    path("accounts/", include("registry.web.accounts.urls")),
    *pages,
]
handler403 = error_pages.forbidden


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response to a request that Django cannot parse."""
    if request.path.startswith(API):
        return problems.answer(Refused(Code.REQUEST_INVALID, "The request cannot be read."))
    return error_pages.bad_request(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response to an unknown path, which may be a tag without `/tags/`."""
    if request.path.startswith(API):
        return problems.route_unknown(request)
    return other_spellings.unknown_path(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """Return the response to an error, without using the database; 503 if it cannot serve now."""
    if response := unavailable(request, sys.exception()):
        return response
    return (
        problems.internal() if request.path.startswith(API) else error_pages.server_error(request)
    )
