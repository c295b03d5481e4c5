"""The pages of ways back into an account: a recovery key, the form that takes it, and resets."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse

from registry.actions import form_messages
from registry.actions.accounts import MakeRecoveryKey, StopReset
from registry.actions.action_form import Outcome
from registry.domain.errors import Refused
from registry.http import limiter
from registry.http.next_urls import next_url
from registry.http.signed_in import SignedInRequest
from registry.services.accounts import recovery
from registry.web.accounts.forms import Recover
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page
from registry.web.core.parameters import takes

TEMPLATE = "account/recover.html"


def recover(request: HttpRequest) -> HttpResponse:
    """Show the form that takes a recovery key or the code of a reset; on POST set the password.

    Whoever used it then signs in, by the second factor too if the account still has one.
    """
    form = Recover(request.POST if request.method == "POST" else None)
    if form.is_bound:
        limiter.count_request(request, account=None, is_preview=True, is_page=True)
        if form.is_valid():
            try:
                recovery.recover(**form.values)
            except Refused as refusal:
                form_messages.add_refusal(form, refusal)
            else:
                messages.success(request, "Your password is set. Sign in with it.")
                return HttpResponseRedirect(reverse("account_login"))
    return TemplateResponse(request, TEMPLATE, {"form": form})


@login_required_page
@takes("next")
def recovery_key(request: SignedInRequest) -> HttpResponse:
    """Offer a recovery key; on POST show a new one, which appears in this one response only."""
    leads_to, is_new = next_url(request, reverse("your-work")), "next" in request.GET
    return action_view(
        request,
        MakeRecoveryKey,
        request.user,
        success_url=leads_to,
        respond=partial(_key_made, request, leads_to),
        form_url=request.get_full_path(),
        is_new=is_new,
        cancel_label="Continue without a key" if is_new else "",
        section="me",
    )


def _key_made(request: HttpRequest, leads_to: str, outcome: Outcome) -> HttpResponse:
    context = {"section": "me", "key": outcome.message, "next_url": leads_to}
    return render(request, "registry/accounts/recovery_key_made.html", context)


@login_required_page
def stop_reset(request: SignedInRequest) -> HttpResponse:
    """Show the reset of the user's account, or that there is none; on POST stop it."""
    return action_view(
        request,
        StopReset,
        request.user,
        success_url=reverse("your-work"),
        is_checked=True,
        section="me",
    )
