"""What every resource of the API has in common."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from registry.api.negotiation import JsonOnly
from registry.domain.errors import Refused
from registry.services.permissions import Actor


class Resource(APIView):
    """A resource: raises what the path's converter refused, answers CORS preflights.

    Who may write is decided by `registry.services.permissions`, not by DRF's classes.
    """

    content_negotiation_class = JsonOnly
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what is no reference before anything is looked up."""
        for value in kwargs.values():
            if isinstance(value, Refused):
                raise value
        super().initial(request, *args, **kwargs)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Let pages of other origins read, and send conditions."""
        response = HttpResponse(status=204)
        response["Allow"] = ", ".join(self.allowed_methods)
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        response["Access-Control-Allow-Headers"] = "Accept, If-None-Match"
        response["Access-Control-Max-Age"] = "86400"
        return response


def actor_of(request: Request) -> Actor | None:
    """Who asks, where a token says so."""
    return request.auth if isinstance(request.auth, Actor) else None
