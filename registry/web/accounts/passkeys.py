"""Passkeys beside authenticator apps. Their pages are allauth's; the list is part of another."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse


def list_passkeys(_request: HttpRequest) -> HttpResponse:
    """Redirect to the page of all second factors."""
    return HttpResponseRedirect(reverse("mfa_index"))


class Authenticate(AuthenticateView):
    """The page that asks for the second factor at sign-in."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context, with whether the account has a passkey to offer."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        options = context["js_data"]["request_options"]["publicKey"]
        return context | {"has_passkey": bool(options.get("allowCredentials"))}


authenticate = Authenticate.as_view()
sign_in = LoginWebAuthnView.as_view()
