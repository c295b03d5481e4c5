"""Closing an account: what it wrote stays, under a name of its owner's choosing; the rest goes."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from registry.domain import user_text
from registry.domain.errors import refuse_all
from registry.models import Membership, SavedDraft, User
from registry.services.accounts import tokens, usernames, users
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write
from registry.services.namespaces import members
from registry.services.proposals import review

EMPTIED = {"first_name": "", "last_name": "", "email": "", "last_login": None}
DROPPED = {"is_active": False, "is_staff": False, "is_superuser": False}


def close_account(*, actor: Actor | None, credit: str = "") -> User:
    """Close one's own account for good; everything that shows who did something shows `credit`.

    It is renamed, since every page, feed and answer shows the user name: to the credit, or to "a
    former contributor". Sessions end by themselves: they are bound to the password, which nothing
    fits any more, and are nobody's where an account is not active. Nobody can have the old name;
    the log keeps its digest, not the name.

    Raises `Refused`: REQUEST_INVALID for a credit that cannot be shown or is somebody's name,
    CONFLICT for the last owner of a namespace and the last superuser.
    """
    permission = permissions.require_own(actor, Action.CLOSE_ACCOUNT)
    credit = user_text.strip_text(credit)
    with authorized_write(permission):
        known = User.objects.get(pk=permission.user.pk)
        if credit:
            refuse_all(usernames.credit_faults(credit, known))
        if known.is_superuser:
            users.refuse_without_superuser(User(pk=known.pk))
        was = usernames.name_digest(known.username)
        known.username = credit or usernames.former_name()
        _leave_namespaces(known)
        _forget(known)
        review.withdraw_all(known)
        tokens.revoke_all_tokens(known)
        append_event("account.closed", known.username, actor=known, namespace="", was=was)
    return known


def _leave_namespaces(user: User) -> None:
    """Before the new name is stored: who is refused reads their own. The log has the new one."""
    for held in Membership.objects.filter(user=user).select_related("namespace", "user"):
        members.end_membership(held, user, by=user)


def _forget(user: User) -> None:
    for name, value in (EMPTIED | DROPPED).items():
        setattr(user, name, value)
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    for model in (EmailAddress, Authenticator):
        model.objects.filter(user=user).delete()
    SavedDraft.objects.filter(owner=user).delete()
