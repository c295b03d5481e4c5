"""What allauth writes by itself, addresses and factors, in our log: it says so by signals only."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.dispatch import receiver

from registry.models import User
from registry.services.accounts import users


@receiver([account.email_added, account.email_changed, account.email_removed])
def addresses_changed(user: User, **_: Any) -> None:
    """Somebody has other addresses."""
    users.record_email_change(user)


@receiver(account.email_confirmed)
def address_verified(email_address: EmailAddress, **_: Any) -> None:
    """Somebody followed a link from a mail."""
    users.record_email_change(email_address.user)


@receiver([mfa.authenticator_added, mfa.authenticator_reset])
def factor_added(user: User, authenticator: Authenticator, **_: Any) -> None:
    """An app was set up, or codes were made."""
    users.record_factor_added(user, authenticator.type)


@receiver(mfa.authenticator_removed)
def factor_removed(user: User, authenticator: Authenticator, **_: Any) -> None:
    """An app or codes are of no use any more."""
    users.record_factor_removed(user, authenticator.type)
