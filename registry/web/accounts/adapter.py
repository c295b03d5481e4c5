"""Adapters that connect allauth to the registry's accounts.

allauth signs users in, limits attempts, checks passwords and codes, and stores email addresses and
second factors. Our services write accounts and passwords, so that each write has its event.
"""

from __future__ import annotations

from typing import Any

import qrcode
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from registry.actions.form_messages import fault_sentence
from registry.domain.errors import Code, Refused
from registry.http import limiter
from registry.http.problems import PROBLEMS
from registry.models import User
from registry.services.accounts import identities, usernames, users
from registry.services.core.permissions import Actor
from registry.services.operations import write_probe
from registry.services.outbox import queueing

REAUTHENTICATION_WORDS = {"mfa_reauthenticate:webauthn": {"description": "Use a passkey"}}
DEFAULT_VERIFICATION = "allauth.account.stages.EmailVerificationStage"


# Decision 043: allauth writes accounts, and the adapter logs each write as an event.
class AccountAdapter(DefaultAccountAdapter):
    """Sign-up, passwords and mail of the registry's accounts."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "Incorrect username or password.",
        "email_password_mismatch": "Incorrect email address or password.",
        "enter_current_password": "Incorrect password.",
        "incorrect_password": "Incorrect password.",
        "incorrect_code": "This code is incorrect or has expired.",
        "email_taken": "Another account has this address.",
        "duplicate_email": "Your account already has this address.",
        "too_many_login_attempts": "Too many failed attempts. Try again in five minutes.",
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network by which allauth's limits count a client, as ours do."""
        return limiter.client_network(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that counts failed sign-ins: the pair of account and network.

        Somebody who guesses from elsewhere cannot lock the owner out. An account counts once,
        whether it is named by its username or by an address. allauth has no public name for this.
        """
        login = str(credentials.get("email") or credentials.get("username", ""))
        account = users.find_by_login(login)
        name = account.pk if account else f"unknown {login.casefold()}"
        return f"{name} from {limiter.client_network(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in.

        Raises `Refused` if the database rejects writes: uncounted, passwords could be guessed.
        """
        if failure := write_probe.write_failure():
            raise Refused(failure, PROBLEMS[failure].meaning)
        super().pre_authenticate(request, **credentials)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a valid, unused username. Raises `ValidationError`."""
        if messages := [fault_sentence(fault) for fault in usernames.username_faults(username)]:
            raise ValidationError(messages)
        return username

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Create the account of a valid sign-up form."""
        data = form.cleaned_data
        return users.sign_up(
            data["username"],
            password=data["password1"],
            password_hash=form.password_hash,
            email=data.get("email") or "",
        )

    def set_password(self, user: User, password: str) -> None:
        users.set_password(user, password, actor=Actor(user))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, and tell the primary one: it can reset the password, too, now."""
        is_confirmed: bool = super().confirm_email(request, email_address)
        if is_confirmed and not email_address.primary:
            added = {"added_email": email_address.email}
            self.send_notification_mail("account/email/email_added", email_address.user, added)
        return is_confirmed

    # Decision 161: no request waits for a mail server.
    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue an email with the current write. Raises `Refused` (CONFLICT) if it is disabled."""
        if not settings.SENDS_MAIL:
            raise Refused(Code.CONFLICT, "This registry sends no email.")
        site = {"request": self.request, "email": email}
        site["current_site"] = get_current_site(self.request)
        message = self.render_mail(template_prefix, email, site | context)
        queueing.queue(template_prefix.rpartition("/")[2], message)

    def get_login_stages(self) -> list[str]:
        """Return allauth's login stages, with our email verification in place of the default."""
        ours = f"{EmailVerification.__module__}.{EmailVerification.__qualname__}"
        stages = super().get_login_stages()
        return [ours if stage == DEFAULT_VERIFICATION else stage for stage in stages]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to confirm who one is, in our words."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        provider, url = settings.IDENTITY_PROVIDER, reverse("provider-confirm")
        if provider and user.is_authenticated and identities.current_identities(user).exists():
            words = f"Sign in with {provider.name}"
            ways.append({"id": "provider", "description": words, "url": url})
        return [way | REAUTHENTICATION_WORDS.get(way["id"], {}) for way in ways]

    def is_ajax(self, request: HttpRequest) -> bool:
        """Return whether a script asks for the options of a passkey; all else are pages."""
        return request.method == "GET" and request.path == reverse("mfa_login_webauthn")


class EmailVerification(EmailVerificationStage):
    """Require a verified address at sign-in, except from accounts without any address."""

    def handle(self) -> Any:
        """Skip the stage for accounts without an address, such as those created by operators."""
        user = self.login.user
        if user and not user.email and not user.emailaddress_set.exists():
            return None, True
        return super().handle()


class FactorAdapter(DefaultMFAAdapter):
    """Second factors of the registry's accounts."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the site to which passkeys belong, with the name that the browser shows."""
        site: dict[str, str] = super().get_public_key_credential_rp_entity()
        return site | {"name": settings.MFA_TOTP_ISSUER}

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """Return the name of another passkey, until it gets one."""
        number = users.count_passkeys(user) + 1
        return f"Passkey {number}" if number > 1 else "Passkey"

    def get_totp_label(self, user: User) -> str:
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """Return a QR code as inline SVG; the content security policy forbids data URLs."""
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
