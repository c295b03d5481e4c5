"""Connects accounts with identities at the provider, by which their owners sign in."""

from __future__ import annotations

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import QuerySet

from registry.domain.errors import Code, Refused
from registry.models import User
from registry.services.accounts import users
from registry.services.accounts.provider_client import ProvenIdentity
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write, write_lock
from registry.services.event_log.appending import append_event

TAKEN = "This identity is connected to another account already."
LAST_WAY = "This is the last way into your account. Set a password first, then remove the identity."


def sign_up(username: str, *, email: str, identity: ProvenIdentity) -> User:
    """Create an account that an identity opens, without a password.

    Raises `Refused`: REQUEST_INVALID with every fault, CONFLICT if an account has the identity.
    """
    with write_lock():
        _refuse_taken(identity)
        user = users.sign_up(username, password="", email=email)
        _connect(user, identity)
    return user


def connect(identity: ProvenIdentity, *, actor: Actor | None) -> None:
    """Connect an identity to the actor's own account, which it opens from then on.

    Raises `Refused`: FORBIDDEN if the actor has to show who they are again, CONFLICT if an account
    has the identity.
    """
    permission = permissions.require_own(actor, Action.SET_PASSWORD)
    permissions.refuse_unconfirmed(permission.actor)
    with authorized_write(permission):
        _refuse_taken(identity, permission.user)
        _connect(permission.user, identity)


def remove(identity: SocialAccount, *, actor: Actor | None) -> None:
    """Remove an identity of the actor's own account.

    Raises `Refused`: FORBIDDEN if the actor has to show who they are again, CONFLICT for the last
    way into the account, and if it was removed meanwhile.
    """
    permission = permissions.require_own(actor, Action.SET_PASSWORD)
    permissions.refuse_unconfirmed(permission.actor)
    with authorized_write(permission):
        user = User.objects.get(pk=permission.user.pk)
        if is_last_way(user, identity):
            raise Refused(Code.CONFLICT, LAST_WAY)
        if not identities_of(user).filter(pk=identity.pk).delete()[0]:
            raise Refused(Code.CONFLICT, "This identity was removed meanwhile.")
        _append("account.identity_removed", user, by=permission.user, issuer=identity.provider)


def identities_of(user: User) -> QuerySet[SocialAccount]:
    """Return the identities of an account, the oldest first, also those at former providers."""
    rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(user=user).order_by("pk")
    return rows


def current_identities(user: User) -> QuerySet[SocialAccount]:
    """Return the identities at the provider of today, which open an account."""
    provider = settings.IDENTITY_PROVIDER
    rows = identities_of(user)
    return rows.filter(provider=provider.issuer) if provider else rows.none()


def is_last_way(user: User, identity: SocialAccount) -> bool:
    """Return whether nobody could sign in to an account without an identity."""
    others = current_identities(user).exclude(pk=identity.pk)
    return not user.has_usable_password() and not others.exists()


def _refuse_taken(identity: ProvenIdentity, user: User | None = None) -> None:
    """Raise `Refused` (CONFLICT) if an account has an identity."""
    row = SocialAccount.objects.filter(provider=identity.issuer, uid=identity.subject).first()
    if row is not None:
        is_own = user is not None and row.user_id == user.pk
        raise Refused(Code.CONFLICT, "Your account has this identity already." if is_own else TAKEN)


def _connect(user: User, identity: ProvenIdentity) -> None:
    SocialAccount.objects.create(
        user=user,
        provider=identity.issuer,
        uid=identity.subject,
        extra_data={"label": identity.label},
    )
    _append("account.identity_connected", user, by=user, issuer=identity.issuer)


def _append(action: str, user: User, *, by: User, issuer: str) -> None:
    append_event(action, user.username, actor=by, namespace="", issuer=issuer)
