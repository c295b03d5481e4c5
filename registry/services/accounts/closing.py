"""Closes accounts: publications stay, under a name that the owner chooses; the rest is deleted."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from registry.domain import user_text
from registry.domain.errors import refuse_all
from registry.domain.names.credits import fold_credit
from registry.models import MailChoice, Membership, Notice, SavedDraft, User, Watch
from registry.services.accounts import resets, tokens, usernames, users
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.namespaces import members, requests, trusted_publishers
from registry.services.proposals import review

CLEARED_FIELDS = {"first_name": "", "last_name": "", "email": "", "last_login": None}
REVOKED_RIGHTS = {"is_active": False, "is_staff": False, "is_superuser": False}


def close_account(*, actor: Actor | None, credit: str = "") -> User:
    """Close the actor's own account permanently, and rename it to `credit`.

    Without a credit it becomes "a former contributor". Sessions end because the password changes.
    Nobody can reuse the old name: the log keeps its digest.

    Raises `Refused`: REQUEST_INVALID if the credit is not valid or is taken, CONFLICT for the last
    owner of a namespace and the last superuser.
    """
    permission = permissions.require_own(actor, Action.CLOSE_ACCOUNT)
    credit = user_text.normalize_text(credit)
    with authorized_write(permission):
        user = User.objects.get(pk=permission.user.pk)
        if credit:
            refuse_all(usernames.credit_faults(credit, user))
        if user.is_superuser:
            users.refuse_without_superuser(User(pk=user.pk))
        was = [user.username, fold_credit(user.username)]
        digests = [usernames.name_digest(name) for name in dict.fromkeys(was)]
        user.username = credit or usernames.former_name()
        _leave_namespaces(user)
        _erase(user)
        review.withdraw_all(user)
        requests.withdraw_all(user)
        trusted_publishers.revoke_all_publishers(user)
        tokens.revoke_all_tokens(user)
        append_event("account.closed", user.username, actor=user, namespace="", was=digests)
    return user


def _leave_namespaces(user: User) -> None:
    """End all memberships, before the new name is stored: errors show the old one, events the new.

    Raises `Refused` (CONFLICT) for the last owner of a namespace.
    """
    for membership in Membership.objects.filter(user=user).select_related("namespace", "user"):
        members.end_membership(membership, user, by=user)


def _erase(user: User) -> None:
    for name, value in (CLEARED_FIELDS | REVOKED_RIGHTS).items():
        setattr(user, name, value)
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    resets.remove_secrets(user)
    SavedDraft.objects.filter(owner=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    for model in (Watch, Notice, MailChoice):
        model._default_manager.filter(user=user).delete()
