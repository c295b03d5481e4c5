"""GET namespaces, namespaces/<namespace>: who owns what."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, cursors
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.services.reading import owning
from registry.services.reading.owning import Owned


class Namespaces(Resource):
    """All namespaces."""

    parameters = frozenset({cursors.PARAMETER})

    @extend_schema(**described.NAMESPACES)
    def get(self, request: Request) -> HttpResponse:
        """A page of namespaces by name."""
        asked = request._request
        found = owning.namespaces(after=cursors.after(asked))
        shown = {
            "results": [_shown(each) for each in found.rows],
            "next": cursors.next_url(asked, found.following),
        }
        return answers.of_json(asked, shown)


class Namespace(Resource):
    """One namespace with who is in it."""

    parameters = frozenset({cursors.PARAMETER})

    @extend_schema(**described.NAMESPACE)
    def get(self, request: Request, name: str) -> HttpResponse:
        """What it is, and a page of its members, owners first."""
        asked = request._request
        found = owning.namespace(name)
        members = owning.members(found.namespace, after=cursors.after(asked))
        shown = {
            **_shown(found),
            "members": [
                {"username": member.user.username, "role": member.role} for member in members.rows
            ],
            "next": cursors.next_url(asked, members.following),
        }
        return answers.of_json(asked, shown)


def _shown(found: Owned) -> dict[str, Any]:
    namespace = found.namespace
    return {
        "name": namespace.name,
        "title": namespace.title,
        "description": namespace.description,
        "url": namespace.url or None,
        "policy": namespace.policy,
        "tags": found.tags,
    }
