"""The adapter by which allauth signs people in, and up, by an identity at the provider."""

from __future__ import annotations

import logging
from typing import Any, NoReturn

from allauth.account.adapter import get_adapter
from allauth.account.utils import setup_user_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthError
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.http import reauthentication
from registry.http.signed_in import user_of
from registry.models import User
from registry.services.accounts import identities
from registry.services.accounts.provider_client import ProvenIdentity
from registry.services.core.permissions import Actor
from registry.web.accounts.provider import CONFIRM, CONNECT, Provider, provider_of

BAD_GATEWAY = 502
UNKNOWN = (
    "This sign-in was not begun in this browser, was finished already, or took more than ten "
    "minutes."
)
FAILED = "{0} could not show who you are. Try again in a minute, or sign in another way."
CLOSED = (
    "No account has this identity, and accounts are created by the administrators of this "
    "registry. If you have one, sign in and connect the identity."
)
OTHER = "You signed in there as somebody else than the owner of this account."
STALE = "You did not enter your password there again."

logger = logging.getLogger("registry.sign_in")


# Decision 187: allauth signs in and up; what changes an account goes through our services.
class ProviderAdapter(DefaultSocialAccountAdapter):
    """Sign-in and sign-up by an identity at the provider."""

    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "email_taken": "Another account has this address. If it is yours, sign in to it, and "
        "connect your identity at %s there.",
    }

    def get_provider(self, request: HttpRequest, *_: Any, **__: Any) -> Provider:
        """Return the one provider; allauth's table of them stays empty."""
        return provider_of(request)

    def list_providers(self, request: HttpRequest) -> list[Provider]:
        """Return none: our own pages name the provider."""
        return []

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Continue what was begun by somebody who came back from the provider.

        Raises `Refused`, and `ImmediateHttpResponse` for all but signing in and up.
        """
        sociallogin.token = None  # what allauth would keep in the session until the sign-up
        process, leads_to = sociallogin.state["process"], sociallogin.state["next"]
        if process == CONNECT:
            if not request.user.is_authenticated:  # the account was closed meanwhile
                raise ImmediateHttpResponse(failure(request, UNKNOWN, status=400))
            actor = Actor(user_of(request), is_confirmed=True)
            identities.connect(sociallogin.proven, actor=actor)
            send_news(request, "connected", sociallogin.proven.issuer)
            messages.success(request, "The identity is connected: it signs you in from now on.")
        elif process == CONFIRM:
            _confirm(request, sociallogin)
        elif not request.user.is_authenticated:
            if not sociallogin.is_existing and not self.is_open_for_signup(request, sociallogin):
                raise Refused(Code.FORBIDDEN, CLOSED)
            return
        raise ImmediateHttpResponse(HttpResponseRedirect(leads_to))

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Create the account of a valid form; call under the write lock."""
        row = sociallogin.account
        identity = ProvenIdentity(row.provider, row.uid, username=row.extra_data["label"])
        email = form.cleaned_data.get("email") or ""
        user = identities.sign_up(form.cleaned_data["username"], email=email, identity=identity)
        setup_user_email(request, user, [])
        sociallogin.user = user
        return user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> NoReturn:
        """Raise `ImmediateHttpResponse` with a page of one sentence."""
        if error == AuthError.CANCELLED:
            messages.info(request, f"You did not sign in with {provider.name}.")
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login")))
        if exception is None and "error" not in request.GET:
            raise ImmediateHttpResponse(failure(request, UNKNOWN, status=400))
        reason = exception or f"it answered {request.GET['error'][:100]!r}"
        logger.warning("Nobody is signed in by %s: %s", provider.app.provider_id, reason)
        raise ImmediateHttpResponse(failure(request, FAILED.format(provider.name)))


def send_news(request: HttpRequest, what: str, issuer: str) -> None:
    """Mail a user that an identity was `connected` or `disconnected`, where the registry mails."""
    prefix = f"socialaccount/email/account_{what}"
    get_adapter(request).send_notification_mail(prefix, request.user, {"provider": issuer})


def failure(request: HttpRequest, sentence: str, *, status: int = BAD_GATEWAY) -> HttpResponse:
    """Return the page that says in a sentence why somebody is not signed in."""
    context = {"sentence": sentence, "section": "me"}
    return render(request, "account/provider_failed.html", context, status=status)


def _confirm(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Note that somebody has shown who they are again. Raises `ImmediateHttpResponse` if not."""
    if not request.user.is_authenticated or sociallogin.user != request.user:
        raise ImmediateHttpResponse(failure(request, OTHER, status=403))
    if not sociallogin.proven.was_proven_after(sociallogin.state["begun"]):
        raise ImmediateHttpResponse(failure(request, STALE, status=403))
    reauthentication.note_confirmed(request, user_of(request), "socialaccount")
