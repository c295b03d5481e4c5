"""Record in the event log what allauth writes: changed email addresses and second factors."""

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
def record_email_change(user: User, **_: Any) -> None:
    users.record_email_change(user)


@receiver(account.email_confirmed)
def record_email_confirmation(email_address: EmailAddress, **_: Any) -> None:
    users.record_email_change(email_address.user)


@receiver([mfa.authenticator_added, mfa.authenticator_reset])
def record_factor_added(user: User, authenticator: Authenticator, **_: Any) -> None:
    users.record_factor_added(user, authenticator.type)


@receiver(mfa.authenticator_removed)
def record_factor_removed(user: User, authenticator: Authenticator, **_: Any) -> None:
    users.record_factor_removed(user, authenticator.type)
