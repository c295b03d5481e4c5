"""Responses about the version that a reference resolves to."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from rest_framework.serializers import Serializer

from registry.api.core.resource import Resource
from registry.http.caching import version_policy
from registry.services.versions.selection import SelectedVersion


def version_response(
    view: Resource, serializer: type[Serializer], instance: Any, choice: SelectedVersion
) -> HttpResponse:
    """Return an instance as JSON, with the cache policy and URL of its exact version."""
    is_exact = not (choice.is_floating or choice.is_alias)
    policy = version_policy(is_exact=is_exact)
    response = view.answer(serializer, instance, policy=policy)
    if not is_exact:
        match = view.request.resolver_match
        assert match  # noqa: S101 - every view has a route
        response["Content-Location"] = iri_to_uri(reverse(match.view_name, args=[choice.exact]))
    return response
