"""The pages of sign-in by the identity provider; without one, none of them exists."""

from __future__ import annotations

import logging
from typing import Any

from allauth.socialaccount import views as socialaccount
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.response import TemplateResponse
from django.urls import reverse

from registry.actions.accounts import RemoveIdentity
from registry.actions.action_form import Outcome
from registry.http import limiter, reauthentication
from registry.http.next_urls import next_url
from registry.http.signed_in import SignedInRequest
from registry.services.accounts import identities
from registry.services.accounts.provider_client import ProviderFailed
from registry.services.core.transactions import write_lock
from registry.web.accounts.provider import (
    CONFIRM,
    CONNECT,
    LOGIN,
    Exchange,
    current_provider,
    provider_of,
)
from registry.web.accounts.provider_adapter import FAILED, failure, send_news
from registry.web.core import stashed_forms
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page
from registry.web.core.parameters import takes

STATE_SIZE = 512  # bytes in the session

logger = logging.getLogger("registry.sign_in")


def begin(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider: to sign in, to connect an identity, or to confirm one.

    Raises allauth's `ReauthenticationRequired` before an identity is connected.
    """
    provider = current_provider()
    if request.method != "POST":  # a reload, or a bookmark
        return HttpResponseRedirect(reverse("account_login"))
    limiter.count_request(request, account=request.user.pk, is_preview=False, is_page=True)
    process, leads_to = LOGIN, next_url(request, reverse("your-work"))
    if request.user.is_authenticated:
        if request.POST.get("purpose") == "confirm":
            process = CONFIRM
            leads_to = reverse("provider-confirm", query={"next": leads_to})
        else:
            reauthentication.require(reauthentication.actor_of(request))
            process, leads_to = CONNECT, reverse("identities")
    stashed_forms.reserve_room(request, STATE_SIZE)
    try:
        address = provider_of(request).begin(request, process, leads_to)
    except ProviderFailed as error:
        logger.warning("Nobody is sent to %s: %s", provider.issuer, error)
        return failure(request, FAILED.format(provider.name))
    # Not a redirect: `form-action` of our content security policy would forbid it.
    context = {"name": provider.name, "address": address, "section": "me"}
    response = render(request, "account/provider_leave.html", context)
    response["Refresh"] = f"0; url={address}"
    return response


def callback(request: HttpRequest) -> HttpResponse:
    """Continue with somebody who comes back from the provider."""
    provider = current_provider()
    response: HttpResponse = OAuth2CallbackView.adapter_view(Exchange(request, provider.issuer))(
        request
    )
    return response


class SignUpView(socialaccount.SignupView):
    """The page on which the owner of an identity chooses a username; all of it is one write."""

    def form_valid(self, form: Any) -> HttpResponse:
        login = self.sociallogin
        if login.account.provider != current_provider().issuer:
            return HttpResponseRedirect(reverse("account_login"))
        query = {"next": login.state["next"]}
        login.state["next"] = reverse("recovery-key", query=query)
        with write_lock():
            response: HttpResponse = super().form_valid(form)
        if login.user.pk is not None:  # the address is not another account's
            reauthentication.note_confirmed(self.request, login.user, "socialaccount")
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context, with the provider and what it calls the identity."""
        label = self.sociallogin.account.extra_data["label"]
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"name": current_provider().name, "label": label}


sign_up = SignUpView.as_view()


@takes("next")
def confirm(request: HttpRequest) -> HttpResponse:
    """Ask a signed-in user to sign in at the provider again, then continue."""
    provider = current_provider()
    leads_to = next_url(request, reverse("your-work"))
    if not request.user.is_authenticated:
        return HttpResponseRedirect(reverse("account_login"))
    if reauthentication.is_recent(request):
        return reauthentication.resume(request) or HttpResponseRedirect(leads_to)
    context = {"name": provider.name, "next_url": leads_to}
    return TemplateResponse(request, "account/provider_confirm.html", context)


@login_required_page
def list_identities(request: SignedInRequest) -> HttpResponse:
    """List the identities that sign the user in."""
    provider = current_provider()
    rows = [
        (row, row.extra_data.get("label") or row.uid, row.provider == provider.issuer)
        for row in identities.identities_of(request.user)
    ]
    context = {"rows": rows, "name": provider.name, "section": "me"}
    return TemplateResponse(request, "registry/accounts/identities.html", context)


@login_required_page
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask whether to remove an identity; on POST remove it."""
    row = get_object_or_404(identities.identities_of(request.user), pk=pk)
    url, issuer = reverse("identities"), row.provider

    def respond(outcome: Outcome) -> HttpResponse:
        send_news(request, "disconnected", issuer)
        return done(request, outcome, url)

    return action_view(request, RemoveIdentity, row, success_url=url, respond=respond, section="me")
