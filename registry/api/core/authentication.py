"""Authentication by bearer token. Reading needs no token, but one that is sent must be valid."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from registry.domain.errors import Code, Refused
from registry.http.limiter import count_bad_token
from registry.models import User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer ttr_<prefix>_<secret>`; `request.auth` is then the `Actor`."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor] | None:
        """Return the user and the actor of the token; None without the header.

        Raises `Refused` (UNAUTHENTICATED), or `RateLimited` after too many invalid tokens.
        """
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        try:
            actor = _actor(header)
        except Refused as refusal:
            count_bad_token(request, refusal)
            raise
        return actor.user, actor

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return 'Bearer realm="registry"'


def _actor(header: str) -> Actor:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Refused(
            Code.UNAUTHENTICATED,
            "Invalid Authorization header: expected Bearer ttr_<prefix>_<secret>.",
        )
    return tokens.authenticate(token.strip())


class TokenScheme(OpenApiAuthenticationExtension):
    """Describes bearer tokens in the OpenAPI document."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "ttr_<prefix>_<secret>"}
