"""Passkeys beside authenticator apps. Their pages are allauth's; the list is part of another."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from django.forms import Form
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


class SignIn(LoginWebAuthnView):
    """Sign-in by a passkey alone, by a button of the sign-in page."""

    def form_invalid(self, form: Form) -> HttpResponse:
        """Return to the sign-in page with a message, and remember where it leads on to."""
        super().form_invalid(form)
        wanted = self.request.POST.get("next")
        query = {"next": wanted} if wanted else None
        return HttpResponseRedirect(reverse("account_login", query=query))


class Reauthenticate(ReauthenticateWebAuthnView):
    """The page that asks for a passkey again."""

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the page again with the error; allauth would lead away from it."""
        response: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return response


authenticate = Authenticate.as_view()
reauthenticate = Reauthenticate.as_view()
sign_in = SignIn.as_view()
