"""allauth's provider and its exchange, done by our client: with deadlines, limits and proofs.

allauth keeps the state and the verifier of a sign-in in the session, and continues once the browser
is back. No token of the provider outlives the request that got it.
"""

from __future__ import annotations

import secrets
import time
from typing import Any

from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import Http404, HttpRequest
from django.urls import reverse

from registry.domain.identity_provider import IdentityProvider
from registry.services.accounts import provider_client, usernames
from registry.services.accounts.provider_client import ProvenIdentity, ProviderFailed


def current_provider() -> IdentityProvider:
    """Return the provider that is configured. Raises `Http404` without one."""
    provider: IdentityProvider | None = settings.IDENTITY_PROVIDER
    if provider is None:
        raise Http404("This registry has no identity provider.")
    return provider


class Exchange(OpenIDConnectOAuth2Adapter):
    """The exchange of a code for an identity, by our client in place of allauth's."""

    def get_client(self, request: HttpRequest, app: SocialApp) -> None:
        """Return no client: allauth's has no deadline for a whole exchange."""

    def get_access_token_data(
        self,
        request: HttpRequest,
        app: SocialApp,
        client: None,
        pkce_code_verifier: str | None = None,
    ) -> ProvenIdentity:
        """Return whom the code stands for. Raises allauth's `OAuth2Error`."""
        provider = current_provider()
        if request.GET.get("iss", provider.issuer) != provider.issuer:  # RFC 9207
            raise OAuth2Error("another issuer has sent the browser back")
        try:
            return provider_client.client_of(provider).redeem(
                request.GET["code"],
                redirect=callback_url(request),
                verifier=pkce_code_verifier or "",
            )
        except ProviderFailed as failure:
            raise OAuth2Error(str(failure)) from failure

    def parse_token(self, data: ProvenIdentity) -> SocialToken:
        """Return an empty token in place of the provider's, which nobody needs any more."""
        return SocialToken()

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return an identity as allauth knows it; `proven` is our own form of it."""
        proven = kwargs["response"]
        login = self.get_provider().sociallogin_from_response(request, proven)
        login.proven = proven
        return login


class Provider(OpenIDConnectProvider):
    """The provider, whose identities are those that our client has proven."""

    oauth2_adapter_class = Exchange

    def extract_uid(self, data: ProvenIdentity) -> str:
        return data.subject

    def extract_extra_data(self, data: ProvenIdentity) -> dict[str, Any]:
        """Return what is stored of an identity besides its subject: how its owner is called."""
        return {"label": data.label}

    def extract_common_fields(self, data: ProvenIdentity) -> dict[str, str]:
        """Return what the form of a new account begins with."""
        username = usernames.suggested_username(data.username)
        return {"username": username, "email": data.email}

    def extract_email_addresses(self, data: ProvenIdentity) -> list[Any]:
        """Return none: the registry confirms an address itself, whatever a provider says."""
        return []

    def cleanup_email_addresses(self, email: str | None, *_: Any, **__: Any) -> str | None:
        return email

    def begin(self, request: HttpRequest, process: str, next_url: str) -> str:
        """Return the address at the provider for a browser, and keep in the session what is begun.

        To confirm who one is, one enters the password there again. Raises `ProviderFailed`.
        """
        state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        address = provider_client.client_of(current_provider()).address(
            redirect=callback_url(request),
            state=state,
            verifier=verifier,
            asks_again=process == CONFIRM,
        )
        self.stash_redirect_state(
            request,
            process,
            next_url,
            state_id=state,
            pkce_code_verifier=verifier,
            begun=int(time.time()),
        )
        return address


LOGIN, CONNECT, CONFIRM = "login", "connect", "redirect"  # allauth's words for what is begun


def provider_of(request: HttpRequest) -> Provider:
    """Return the provider as allauth knows it. Identities belong to its issuer."""
    provider = current_provider()
    app = SocialApp(
        provider=Provider.id,
        provider_id=provider.issuer,
        name=provider.name,
        client_id=provider.client_id,
    )
    return Provider(request, app=app)


def callback_url(request: HttpRequest) -> str:
    """Return the URL to which the provider sends people back, which is registered there."""
    return request.build_absolute_uri(reverse("provider-callback"))
