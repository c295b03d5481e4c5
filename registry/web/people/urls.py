"""The pages of allauth that are used here, each a desk like ours: /accounts/..."""

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

from registry.acts.act import INVALID
from registry.web.page import View, desk
from registry.web.people import heard

__all__ = ["heard", "urlpatterns"]  # what these pages write is heard of there

TOO_MANY = 429
PATIENCE = "60"  # seconds; most limits count by the minute


def room(view: View) -> View:
    """A page of allauth's, answered as ours are: marked in the head, kept by nobody."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
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
        if response.status_code == TOO_MANY:
            response["Retry-After"] = PATIENCE
        return response

    return desk(answered)


def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account; 403 where sign-up is closed."""
    response: HttpResponse = account.signup(request)
    if not settings.SIGNUP_OPEN and response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.FORBIDDEN
    return response


def reset(request: HttpRequest) -> HttpResponse:
    """A new password by mail; where none is sent, whom to ask."""
    if settings.SENDS_MAIL:
        response: HttpResponse = account.password_reset(request)
        return response
    return render(request, "account/no_mail.html")


KEY = r"password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$"

urlpatterns: list[URLPattern] = [
    path("login/", room(account.login), name="account_login"),
    path("logout/", room(account.logout), name="account_logout"),
    path("signup/", room(sign_up), name="account_signup"),
    path("inactive/", room(account.account_inactive), name="account_inactive"),
    path("reauthenticate/", room(account.reauthenticate), name="account_reauthenticate"),
    path("email/", room(account.email), name="account_email"),
    path(
        "confirm-email/",
        room(account.email_verification_sent),
        name="account_email_verification_sent",
    ),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        room(account.confirm_email),
        name="account_confirm_email",
    ),
    path("password/change/", room(account.password_change), name="account_change_password"),
    path("password/set/", room(account.password_set), name="account_set_password"),
    path("password/reset/", room(reset), name="account_reset_password"),
    path(
        "password/reset/done/",
        room(account.password_reset_done),
        name="account_reset_password_done",
    ),
    re_path(KEY, room(account.password_reset_from_key), name="account_reset_password_from_key"),
    path(
        "password/reset/key/done/",
        room(account.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path("2fa/", room(mfa.index), name="mfa_index"),
    path("2fa/authenticate/", room(mfa.authenticate), name="mfa_authenticate"),
    path("2fa/reauthenticate/", room(mfa.reauthenticate), name="mfa_reauthenticate"),
    path("2fa/totp/activate/", room(totp.activate_totp), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", room(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("2fa/recovery-codes/", room(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "2fa/recovery-codes/generate/",
        room(codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        room(codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
