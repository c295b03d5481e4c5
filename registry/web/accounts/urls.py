"""The URLs of the account pages, which are allauth's: /accounts/..."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, re_path, reverse

from registry.actions import form_messages
from registry.actions.action_form import INVALID
from registry.domain.errors import Code, Refused
from registry.http import reauthentication
from registry.services.core.transactions import write_lock
from registry.services.operations import write_probe
from registry.web.accounts import passkeys, provider_pages, signals
from registry.web.accounts.forms import SignUp
from registry.web.accounts.provider import current_provider
from registry.web.accounts.recovery import recover
from registry.web.core.decorators import View, private_page
from registry.web.core.parameters import takes_any

__all__ = ["signals", "urlpatterns"]  # importing `signals` connects its receivers

RETRY_AFTER = "60"  # seconds; most limits are per minute
RESET_LIMIT = (
    "An address receives at most three links an hour and ten a day, and one network may request "
    "ten a minute. Use the newest link, or try again in an hour."
)
MAX_FORM = 16 * 1024  # bytes; allauth keeps the form in the session while it asks for the password


def is_beyond_limit(response: HttpResponse) -> bool:
    """Return whether allauth has found too many attempts.

    It says so, too, if it cannot count: raises `Refused` (STORAGE_FULL, READ_ONLY) then.
    """
    if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
        return False
    write_probe.refuse_failure()
    return True


def account_page(view: View) -> View:
    """Decorate a view of allauth: limit the form, add our context, answer an invalid form with the
    status of action forms, and forbid caching.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > MAX_FORM:
            raise Refused(Code.TOO_LARGE, f"This form has at most {MAX_FORM} bytes.")
        response = view(request, *args, **kwargs)
        context = getattr(response, "context_data", None)
        if context is not None:
            context |= {
                "section": "me",
                "sends_mail": settings.SENDS_MAIL,
                "signup_is_open": settings.SIGNUP_OPEN,
            }
            if "form" in context and context["form"].errors:
                response.status_code = INVALID
        if is_beyond_limit(response):
            response["Retry-After"] = RETRY_AFTER
        return response

    return takes_any(private_page(wrapper))


def confirmed(view: View) -> View:
    """Decorate a page of allauth that changes an account, or shows a secret of it.

    allauth asks for the password or a code again. Who has neither signs in at the provider again.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        reauthentication.require_identity(request)
        return view(request, *args, **kwargs)

    return wrapper


def where_provided(view: View) -> View:
    """Decorate a page that exists only where people sign in by an identity provider."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        current_provider()
        return view(request, *args, **kwargs)

    return wrapper


def one_write(view: View) -> View:
    """Decorate a page of allauth so that what a form changes, its event and its mail are one write.

    Forms are confirmed, as by `confirmed`. Not for forms with a password: to hash it takes longer
    than others are to wait for the lock.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST" or not request.user.is_authenticated:
            return view(request, *args, **kwargs)
        reauthentication.require_identity(request)
        with write_lock():
            return view(request, *args, **kwargs)

    return wrapper


class SignUpView(account.SignupView):
    """The sign-up page, whose account, address, event and mail are one write."""

    def form_valid(self, form: SignUp) -> HttpResponse:
        form.password_hash  # noqa: B018 - computed once, before the lock
        try:
            with write_lock():
                response: HttpResponse = super().form_valid(form)
        except Refused as refusal:
            if not refusal.faults:
                raise
            form_messages.add_refusal(form, refusal)  # as of a name that was taken meanwhile
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


_sign_up = SignUpView.as_view()


def sign_up(request: HttpRequest) -> HttpResponse:
    """Show the sign-up page; with status 403 if sign-up is closed."""
    response: HttpResponse = _sign_up(request)
    if not settings.SIGNUP_OPEN and response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.FORBIDDEN
    return response


def confirm_email(request: HttpRequest, key: str) -> HttpResponse:
    """Confirm an address, with its event and its mail as one write.

    Somebody else may have confirmed the same address while this waits for the lock; and after a
    second click, the page says that the link has been used.
    """
    try:
        with write_lock() if request.method == "POST" else nullcontext():
            response: HttpResponse = account.confirm_email(request, key=key)
    except Http404:
        return HttpResponseRedirect(request.path)
    return response


def reset_password(request: HttpRequest) -> HttpResponse:
    """Send a link for resetting the password; without email, explain whom to ask.

    Raises `Refused` (RATE_LIMITED) instead of flooding an address.
    """
    if settings.SENDS_MAIL:
        response: HttpResponse = account.password_reset(request)
        if is_beyond_limit(response):
            raise Refused(Code.RATE_LIMITED, RESET_LIMIT)
        return response
    return render(request, "account/password_reset_unavailable.html")


PAGES: Mapping[str, tuple[View, str]] = {  # with the names that allauth reverses
    "login/": (account.login, "account_login"),
    "logout/": (account.logout, "account_logout"),
    "signup/": (sign_up, "account_signup"),
    "inactive/": (account.account_inactive, "account_inactive"),
    "reauthenticate/": (account.reauthenticate, "account_reauthenticate"),
    "email/": (one_write(account.email), "account_email"),
    "confirm-email/": (account.email_verification_sent, "account_email_verification_sent"),
    "password/change/": (account.password_change, "account_change_password"),
    "password/set/": (confirmed(account.password_set), "account_set_password"),
    "password/reset/": (reset_password, "account_reset_password"),
    "recover/": (recover, "account_recover"),
    "password/reset/done/": (account.password_reset_done, "account_reset_password_done"),
    "password/reset/key/done/": (
        account.password_reset_from_key_done,
        "account_reset_password_from_key_done",
    ),
    "2fa/": (mfa.index, "mfa_index"),
    "2fa/authenticate/": (passkeys.authenticate, "mfa_authenticate"),
    "2fa/reauthenticate/": (mfa.reauthenticate, "mfa_reauthenticate"),
    "2fa/totp/activate/": (one_write(totp.activate_totp), "mfa_activate_totp"),
    "2fa/totp/deactivate/": (one_write(totp.deactivate_totp), "mfa_deactivate_totp"),
    "2fa/passkeys/": (passkeys.list_passkeys, "mfa_list_webauthn"),
    "2fa/passkeys/add/": (one_write(webauthn.add_webauthn), "mfa_add_webauthn"),
    "2fa/passkeys/<int:pk>/rename/": (one_write(webauthn.edit_webauthn), "mfa_edit_webauthn"),
    "2fa/passkeys/<int:pk>/remove/": (one_write(webauthn.remove_webauthn), "mfa_remove_webauthn"),
    "2fa/passkeys/reauthenticate/": (passkeys.reauthenticate, "mfa_reauthenticate_webauthn"),
    "2fa/passkeys/login/": (passkeys.sign_in, "mfa_login_webauthn"),
    "2fa/recovery-codes/": (codes.view_recovery_codes, "mfa_view_recovery_codes"),
    "2fa/recovery-codes/generate/": (
        one_write(codes.generate_recovery_codes),
        "mfa_generate_recovery_codes",
    ),
    "2fa/recovery-codes/download/": (codes.download_recovery_codes, "mfa_download_recovery_codes"),
}
PROVIDER_PAGES: Mapping[str, tuple[View, str]] = {
    "provider/login/": (provider_pages.begin, "provider-login"),
    "provider/login/callback/": (provider_pages.callback, "provider-callback"),
    "provider/signup/": (provider_pages.sign_up, "socialaccount_signup"),
    "provider/confirm/": (provider_pages.confirm, "provider-confirm"),
    "identities/": (provider_pages.list_identities, "identities"),
    "identities/<int:pk>/remove/": (provider_pages.remove, "identity-remove"),
}
CONFIRM_KEY = r"^confirm-email/(?P<key>[-:\w]+)/$"
RESET_KEY = r"password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$"

urlpatterns: list[URLPattern] = [
    *(path(route, account_page(view), name=name) for route, (view, name) in PAGES.items()),
    *(
        path(route, where_provided(account_page(view)), name=name)
        for route, (view, name) in PROVIDER_PAGES.items()
    ),
    re_path(CONFIRM_KEY, account_page(confirm_email), name="account_confirm_email"),
    re_path(
        RESET_KEY,
        account_page(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
]
