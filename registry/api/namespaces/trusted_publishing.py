"""POST trusted-publishing: a token for a CI job that proves its identity."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from registry.api.core.openapi_schema import operation
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.domain.errors import Code, Refused
from registry.http import limiter, request_members
from registry.http.caching import CachePolicy
from registry.services.accounts import token_exchange
from registry.services.accounts.identity_tokens import MAX_IDENTITY_TOKEN

EXCHANGE = RequestBody(
    "TrustedPublishingRequest",
    "The identity token of a CI job, and the tag that it is going to write.",
    {
        "token": request_members.text(
            {"maxLength": MAX_IDENTITY_TOKEN},  # longer texts are no such token: UNAUTHENTICATED
            help_text=(
                "a JSON Web Token of a trusted issuer, with this registry's address as audience"
            ),
        ),
        "tag": request_members.tag_name(
            required=False, help_text="needed if several trusted publishers match"
        ),
    },
)


class TrustedPublishingSerializer(serializers.Serializer):
    """A token that is valid for 15 minutes."""

    token = serializers.CharField(source="text")
    expires = serializers.DateTimeField(source="token.expires")
    scopes = serializers.CharField(source="token.scopes", help_text="separated by spaces")
    names = serializers.CharField(source="token.pattern", help_text="a namespace, or ns/prefix/*")


class TrustedPublishing(Resource):
    """The exchange of identity tokens. It needs no other token: the identity is checked."""

    reads_by_post = True

    @operation(
        "trusted_publishing",
        "Exchange the identity token of a CI job for a token",
        TrustedPublishingSerializer,
        Code.FORBIDDEN,
        Code.CONFLICT,
        request=EXCHANGE,
    )
    def post(self, request: Request) -> HttpResponse:
        """Return a token with the rights of the trusted publisher that the job is."""
        values = EXCHANGE.read(request)
        try:
            exchanged = token_exchange.exchange(values["token"], tag=values["tag"])
        except Refused as refusal:
            if refusal.code is Code.UNAUTHENTICATED:
                limiter.count_bad_token(request, refusal)
            raise
        return self.answer(TrustedPublishingSerializer, exchanged, policy=CachePolicy.NO_STORE)
