"""The pages of sign-up: with a password, and by an identity at the provider."""

from __future__ import annotations

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


class OneWrite:
    """A page of allauth whose account, address, event and mail are one write.

    What the form could not know, as that a name was taken meanwhile, is said in the form.
    """

    def form_valid(self, form: NewAccount) -> HttpResponse:
        """Create the account of a valid form, or show the form with what is wrong."""
        try:
            with write_lock():
                response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        except Refused as refusal:
            self.keep_for_retry()
            if not refusal.faults:
                raise
            form_messages.add_refusal(form, refusal)
            invalid: HttpResponse = self.form_invalid(form)  # type: ignore[attr-defined]
            return invalid
        self.note_sign_up()
        return response

    def note_sign_up(self) -> None:
        """Note how somebody has shown who they are, if an account was created."""
        raise NotImplementedError

    def keep_for_retry(self) -> None:
        """Keep what the form needs to be sent once more, after nothing was written."""


class SignUpView(OneWrite, account.SignupView):
    """The sign-up page, with a password."""

    def form_valid(self, form: NewAccount) -> HttpResponse:
        """Create the account of a valid form."""
        if isinstance(form, SignUp):
            form.password_hash  # noqa: B018 - computed once, before the lock
        return super().form_valid(form)

    def note_sign_up(self) -> None:
        """Note the password, if an account was created."""
        if self.user is not None:  # the address is not another account's
            reauthentication.note_confirmed(self.request, self.user, "password")

    def get_success_url(self) -> str | None:
        """Return the page that offers a recovery key, and leads on to where somebody wanted."""
        wanted: str | None = super().get_success_url()
        if self.request.user.is_authenticated:  # there is nothing to sign up for
            return wanted
        return reverse("recovery-key", query={"next": wanted or reverse("your-work")})


class ProviderSignUpView(OneWrite, socialaccount.SignupView):
    """The page on which the owner of an identity chooses a username."""

    def form_valid(self, form: NewAccount) -> HttpResponse:
        """Create the account of a valid form, and sign in."""
        login = self.sociallogin
        if login.account.provider != current_provider().issuer:
            return HttpResponseRedirect(reverse("account_login"))
        leads_to = reverse("recovery-key", query={"next": login.state["next"]})
        self.pending = self.request.session[PENDING]
        login.state = login.state | {"next": leads_to}  # the session keeps what it was
        return super().form_valid(form)

    def note_sign_up(self) -> None:
        """Note the provider, if an account was created."""
        user = self.sociallogin.user
        if user.pk is not None:  # the address is not another account's
            reauthentication.note_confirmed(self.request, user, "socialaccount")

    def keep_for_retry(self) -> None:
        """Keep the identity in the session, which allauth takes out before it writes."""
        self.request.session[PENDING] = self.pending

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
