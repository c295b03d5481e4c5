"""The URLs of the account pages, which are allauth's: /accounts/..."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, re_path

from registry.actions.action_form import INVALID
from registry.domain.errors import Code, Refused
from registry.web.accounts import signals
from registry.web.core.decorators import View, private_page

__all__ = ["signals", "urlpatterns"]  # importing `signals` connects its receivers

RETRY_AFTER = "60"  # seconds; most limits are per minute
RESET_LIMIT = (
    "An address receives at most three links an hour and ten a day, and one network may request "
    "ten a minute. Use the newest link, or try again in an hour."
)
MAX_FORM = 16 * 1024  # bytes; allauth keeps the form in the session while it asks for the password


def account_page(view: View) -> View:
    """Decorate a view of allauth: limit the form, add our context, 422 for invalid
    forms, and forbid caching.
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
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response["Retry-After"] = RETRY_AFTER
        return response

    return private_page(wrapper)


def sign_up(request: HttpRequest) -> HttpResponse:
    """Show the sign-up page; with status 403 if sign-up is closed."""
    response: HttpResponse = account.signup(request)
    if not settings.SIGNUP_OPEN and response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.FORBIDDEN
    return response


def reset_password(request: HttpRequest) -> HttpResponse:
    """Send a link for resetting the password; without email, explain whom to ask.

    Raises `Refused` (RATE_LIMITED) instead of flooding an address.
    """
    if settings.SENDS_MAIL:
        response: HttpResponse = account.password_reset(request)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            raise Refused(Code.RATE_LIMITED, RESET_LIMIT)
        return response
    return render(request, "account/password_reset_unavailable.html")


RESET_KEY = r"password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$"

urlpatterns: list[URLPattern] = [
    path("login/", account_page(account.login), name="account_login"),
    path("logout/", account_page(account.logout), name="account_logout"),
    path("signup/", account_page(sign_up), name="account_signup"),
    path("inactive/", account_page(account.account_inactive), name="account_inactive"),
    path("reauthenticate/", account_page(account.reauthenticate), name="account_reauthenticate"),
    path("email/", account_page(account.email), name="account_email"),
    path(
        "confirm-email/",
        account_page(account.email_verification_sent),
        name="account_email_verification_sent",
    ),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        account_page(account.confirm_email),
        name="account_confirm_email",
    ),
    path("password/change/", account_page(account.password_change), name="account_change_password"),
    path("password/set/", account_page(account.password_set), name="account_set_password"),
    path("password/reset/", account_page(reset_password), name="account_reset_password"),
    path(
        "password/reset/done/",
        account_page(account.password_reset_done),
        name="account_reset_password_done",
    ),
    re_path(
        RESET_KEY,
        account_page(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account_page(account.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path("2fa/", account_page(mfa.index), name="mfa_index"),
    path("2fa/authenticate/", account_page(mfa.authenticate), name="mfa_authenticate"),
    path("2fa/reauthenticate/", account_page(mfa.reauthenticate), name="mfa_reauthenticate"),
    path("2fa/totp/activate/", account_page(totp.activate_totp), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", account_page(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "2fa/recovery-codes/",
        account_page(codes.view_recovery_codes),
        name="mfa_view_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/generate/",
        account_page(codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        account_page(codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
