"""A view to compare with: one query by primary key, then constant bytes.

This module is the URLconf of `benchmarks.bare_settings`, so the view has the registry's middleware.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from benchmarks import constant
from registry.models import Tag
from registry.urls import handler400, handler403, handler404, handler500, urlpatterns as registry

_, BODY = constant.read()

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def bare(_request: HttpRequest) -> HttpResponse:
    """Return the constant bytes after one query."""
    Tag.objects.get(pk=1)
    return HttpResponse(BODY, content_type="application/json")


urlpatterns = [path(constant.PATH.removeprefix("/"), bare), *registry]
