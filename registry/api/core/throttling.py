"""DRF throttles that delegate to the registry's rate limiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from registry.http import limiter
from registry.services.core.permissions import Actor

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which itself imports the authentication classes


class RequestThrottle(BaseThrottle):
    """Counts every request, by account if a token is sent."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request. Raises `RateLimited`, which names the limit, and never returns False."""
        account = request.auth.user.pk if isinstance(request.auth, Actor) else None
        is_preview = self.is_preview(request)
        limiter.count_request(request, account=account, is_preview=is_preview)
        return True

    def is_preview(self, request: Request) -> bool:
        """Return whether the request asks for impact or near duplicates."""
        return False


class CheckThrottle(RequestThrottle):
    """Counts checks; those with include= count twice."""

    def is_preview(self, request: Request) -> bool:
        """Return whether the check includes impact or near duplicates."""
        return "include" in request.query_params
