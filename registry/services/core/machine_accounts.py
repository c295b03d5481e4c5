"""Which accounts are machine accounts: nobody signs in to them, and nobody ever has."""

from __future__ import annotations

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q

from registry.models import User

# Decision 187: a person may have an identity at the provider in place of a password. In SQL,
# because `current_rights` asks it in its one query; `account` is the row of the account.
IS_PERSON = """
    (substr(account.password, 1, 1) <> '!' OR account.last_login IS NOT NULL
     OR EXISTS (SELECT 1 FROM socialaccount_socialaccount identity
                 WHERE identity.user_id = account.id))
"""


def is_machine(user: User) -> bool:
    """Return whether an account is a machine account, which only has tokens. One query."""
    person = f"SELECT id FROM registry_user account WHERE id = %s AND {IS_PERSON}"  # noqa: S608 - constants
    return not list(User.objects.raw(person, [user.pk]))


def is_used(user: User) -> bool:
    """Return whether somebody has signed in to an account, or connected an identity to it."""
    return user.last_login is not None or SocialAccount.objects.filter(user=user).exists()


def has_way_in(user: User) -> bool:
    """Return whether an account has a password, or an identity at the provider. One query."""
    return User.objects.filter(with_way_in(), pk=user.pk).exists()


def with_way_in() -> Q:
    """Return the condition of accounts that have a password, or an identity at the provider."""
    has_password = ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    provider = settings.IDENTITY_PROVIDER
    if provider is None:
        return has_password
    identities = SocialAccount.objects.filter(provider=provider.issuer)
    return has_password | Q(pk__in=identities.values("user"))
