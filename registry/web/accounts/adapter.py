"""How accounts are made and reached: what allauth leaves to us.

It signs people in, counts attempts, checks passwords and codes, and keeps addresses and factors.
Accounts and passwords are written by our services, so that each write has its event.
"""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

import qrcode
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.stages import EmailVerificationStage
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html

from registry.actions.form_messages import fault_sentence
from registry.domain.errors import Code, Refused
from registry.models import User
from registry.services.accounts import usernames, users
from registry.services.core.permissions import Actor

log = logging.getLogger(__name__)

STAGE = "allauth.account.stages.EmailVerificationStage"


class AccountAdapter(DefaultAccountAdapter):
    """Accounts of the registry."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "No account has this name and this password.",
        "email_password_mismatch": "No account has this address and this password.",
        "enter_current_password": "This is not your password.",
        "incorrect_password": "This is not your password.",
        "incorrect_code": "This code is not right, or no longer.",
        "email_taken": "Another account has this address.",
        "duplicate_email": "The account has this address already.",
        "too_many_login_attempts": "Too many failed attempts. Try again in five minutes.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether strangers may make accounts."""
        return bool(settings.SIGNUP_OPEN)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name that nobody has, had or may have."""
        if told := [fault_sentence(fault) for fault in usernames.username_faults(username)]:
            raise ValidationError(told)
        return username

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Make the account that somebody signs up for."""
        typed = form.cleaned_data
        return users.sign_up(
            typed["username"], password=typed["password1"], email=typed.get("email") or ""
        )

    def set_password(self, user: User, password: str) -> None:
        """Set the password that somebody chose for themselves."""
        users.set_password(user, password, actor=Actor(user))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, or say that it could not be sent. Raises `Refused`."""
        if not settings.SENDS_MAIL:
            raise Refused(Code.CONFLICT, "This registry sends no mail.")
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            log.error("A mail could not be sent: %s", type(error).__name__)
            raise Refused(
                Code.BUSY, "The mail could not be sent. What was typed is kept; try again later."
            ) from error

    def get_login_stages(self) -> list[str]:
        """What follows on the password."""
        ours = f"{Verification.__module__}.{Verification.__qualname__}"
        return [ours if stage == STAGE else stage for stage in super().get_login_stages()]

    def is_ajax(self, request: HttpRequest) -> bool:
        """Whether JSON is answered: these are pages, and nothing else."""
        return False


class Verification(EmailVerificationStage):
    """Whoever has an address has verified one; accounts made by the operator may have none."""

    def handle(self) -> Any:
        """Let those in who have none."""
        user = self.login.user
        if user and not user.email and not user.emailaddress_set.exists():
            return None, True
        return super().handle()


class FactorAdapter(DefaultMFAAdapter):
    """Second factors."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
    }

    def get_totp_label(self, user: User) -> str:
        """What the app calls the account."""
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """A QR code for the page itself: images from elsewhere, data URLs too, are not loaded."""
        code = qrcode.QRCode(border=4)
        code.add_data(url)
        rows = code.get_matrix()
        dark = "".join(
            f"M{x} {y}h1v1h-1z"
            for y, row in enumerate(rows)
            for x, is_dark in enumerate(row)
            if is_dark
        )
        return format_html(
            '<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="QR code of the secret">'
            '<rect width="{0}" height="{0}" fill="#fff"/><path d="{1}" fill="#000"/></svg>',
            len(rows),
            dark,
        )
