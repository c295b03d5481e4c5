"""Resets of accounts by superusers. Each waits, so that the account hears of it and can stop it.

A reset is a code, which a superuser hands over to whoever lost the account. From the end of the
waiting time on, `recovery.recover` takes it.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.utils import timezone

from registry.domain import user_text
from registry.domain.errors import Code, Refused, refuse_all
from registry.models import AccountReset, NewsFeed, RecoveryKey, Session, User
from registry.services.accounts import recovery_codes, tokens
from registry.services.core import machine_accounts, permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event

VALID_FOR = timedelta(days=7)  # after the waiting time
MAX_REASON = 500  # characters


# Decision 178: whoever holds the account hears of a reset before it takes effect.
def begin_reset(user: User, *, reason: str, actor: Actor | None) -> tuple[str, AccountReset]:
    """Begin the reset of an account, and return its code, which is not stored.

    Raises `Refused`: REQUEST_INVALID without a reason; CONFLICT for the actor's own account, a
    closed one, one that nobody has signed in to, and one with a reset already.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    reason = user_text.normalize_text(reason)
    refuse_all(user_text.text_faults(reason, "/reason", max_length=MAX_REASON, is_required=True))
    with authorized_write(permission):
        user = User.objects.get(pk=user.pk)
        _refuse_needless(user, permission.user)
        code = recovery_codes.new_code()
        valid_from = timezone.now() + settings.RESET_WAIT
        AccountReset.objects.filter(user=user).delete()  # an expired one
        reset = AccountReset.objects.create(
            user=user,
            begun_by=permission.user,
            digest=recovery_codes.digest(code),
            valid_from=valid_from,
            expires=valid_from + VALID_FOR,
        )
        append_event(
            "account.reset_started",
            user.username,
            actor=permission.user,
            namespace="",
            reason=reason,
            valid_from=f"{valid_from:%Y-%m-%dT%H:%M:%SZ}",
        )
    return code, reset


def _refuse_needless(user: User, by: User) -> None:
    """Raise `Refused` (CONFLICT) for an account whose reset makes no sense."""
    if user == by:
        raise Refused(Code.CONFLICT, f"{user} is your own account: make a recovery key instead.")
    if not user.is_active:
        raise Refused(Code.CONFLICT, f"The account {user} is closed.")
    if not machine_accounts.is_used(user):
        raise Refused(Code.CONFLICT, f"Nobody has signed in as {user}: set a password instead.")
    if pending := pending_reset(user):
        raise Refused(
            Code.CONFLICT,
            f"{user} is being reset already, by {pending.begun_by}. To hand over another code, "
            "stop that reset first; the waiting time begins again.",
        )


def stop_reset(user: User, *, actor: Actor | None) -> None:
    """Stop the reset of an account. Raises `Refused` (CONFLICT) if there is none."""
    permission = permissions.require(actor, Action.STOP_RESET, user)
    with authorized_write(permission):
        refuse_without_reset(user)
        AccountReset.objects.filter(user=user).delete()
        append_event("account.reset_stopped", user.username, actor=permission.user, namespace="")


def refuse_without_reset(user: User) -> None:
    """Raise `Refused` (CONFLICT) if an account is not being reset."""
    if pending_reset(user) is None:
        raise Refused(Code.CONFLICT, f"The account {user} is not being reset.")


def pending_reset(user: User) -> AccountReset | None:
    """Return the reset of an account that waits or can be used; None if there is none. One query.

    It ends with the right of the superuser who began it.
    """
    rows = AccountReset.objects.filter(
        user=user,
        expires__gt=timezone.now(),
        begun_by__is_active=True,
        begun_by__is_superuser=True,
    )
    return rows.select_related("begun_by").first()


def end_all_access(user: User) -> None:
    """Remove everything that opens an account, besides its password. Call under the write lock."""
    remove_secrets(user)
    Session.objects.filter(account=user).delete()
    tokens.revoke_all_tokens(user)


def remove_secrets(user: User) -> None:
    """Remove what an account has besides password, sessions and tokens to show who one is."""
    for model in (Authenticator, SocialAccount, RecoveryKey, AccountReset, NewsFeed):
        model._default_manager.filter(user=user).delete()
