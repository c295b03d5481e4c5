"""Answers about the one version that answers to a reference."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from rest_framework.request import Request

from registry.api import answers
from registry.http.caching import version_policy
from registry.services.choosing import Choice


def about(request: Request, choice: Choice, value: Any) -> HttpResponse:
    """A value as JSON: kept as long as a resolution would be, and with the exact version's place.

    A further page has no such place: it is of the version that its cursor names.
    """
    is_fixed = not (choice.is_floating or choice.is_alias)
    policy = version_policy(is_exact=is_fixed)
    response = answers.of_json(request._request, value, policy=policy)
    if not is_fixed:
        assert request.resolver_match  # noqa: S101 - a view is asked through a route
        route = request.resolver_match.view_name
        response["Content-Location"] = iri_to_uri(reverse(route, args=[choice.exact]))
    return response
