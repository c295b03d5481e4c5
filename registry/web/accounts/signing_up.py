"""The pages of sign-up: with a password, and by an identity at the provider."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from allauth.account import views as account
from allauth.socialaccount import views as socialaccount
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from registry.actions import form_messages
from registry.domain.errors import Refused
from registry.http import reauthentication
from registry.services.core.transactions import write_lock
from registry.web.accounts.forms import NewAccount, SignUp
from registry.web.accounts.provider import current_provider

PENDING = "socialaccount_sociallogin"  # where allauth keeps an identity that signs up


def _in_one_write(
    form: NewAccount, create: Callable[[NewAccount], HttpResponse]
) -> HttpResponse | None:
    """Return the response of allauth's view, whose account, address, event and mail are one write.

    None if nothing was written, as where a name was taken meanwhile; the form says why then.
    """
    try:
        with write_lock():
            return create(form)
    except Refused as refusal:
        if not refusal.faults:
            raise
        form_messages.add_refusal(form, refusal)
        return None


class SignUpView(account.SignupView):
    """The sign-up page, with a password."""

    def form_valid(self, form: NewAccount) -> HttpResponse:
        """Create the account of a valid form, or show the form with what is wrong."""
        if isinstance(form, SignUp):
            form.password_hash  # noqa: B018 - computed once, before the lock
        response = _in_one_write(form, super().form_valid)
        if response is None:
            invalid: HttpResponse = self.form_invalid(form)
            return invalid
        if self.user is not None:  # the address is not another account's
            reauthentication.note_confirmed(self.request, self.user, "password")
        return response

    def get_success_url(self) -> str | None:
        """Return the page that offers a recovery key, and leads on to where somebody wanted."""
        wanted: str | None = super().get_success_url()
        if self.request.user.is_authenticated:  # there is nothing to sign up for
            return wanted
        return reverse("recovery-key", query={"next": wanted or reverse("your-work")})


class ProviderSignUpView(socialaccount.SignupView):
    """The page on which the owner of an identity chooses a username."""

    def form_valid(self, form: NewAccount) -> HttpResponse:
        """Create the account of a valid form and sign in, or show the form with what is wrong."""
        login = self.sociallogin
        if login.account.provider != current_provider().issuer:
            return HttpResponseRedirect(reverse("account_login"))
        identity = self.request.session[PENDING]
        leads_to = reverse("recovery-key", query={"next": login.state["next"]})
        login.state = login.state | {"next": leads_to}  # the session keeps what it was
        response = None
        try:
            response = _in_one_write(form, super().form_valid)
        finally:
            if response is None:  # allauth has taken it out of the session
                self.request.session[PENDING] = identity
        if response is None:
            invalid: HttpResponse = self.form_invalid(form)
            return invalid
        if login.user.pk is not None:  # the address is not another account's
            reauthentication.note_confirmed(self.request, login.user, "socialaccount")
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context, with the provider and what it calls the identity."""
        label = self.sociallogin.account.extra_data["label"]
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"name": current_provider().name, "label": label}


_sign_up = SignUpView.as_view()
sign_up_by_provider = ProviderSignUpView.as_view()


def sign_up(request: HttpRequest) -> HttpResponse:
    """Show the sign-up page; with status 403 if sign-up is closed."""
    response: HttpResponse = _sign_up(request)
    if not settings.SIGNUP_OPEN and response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.FORBIDDEN
    return response
