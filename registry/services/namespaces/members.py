"""Grants and revokes roles in namespaces."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.models import Membership, Namespace, Role, User
from registry.services.core import permissions
from registry.services.core.permissions import CURATORS, Action, Actor
from registry.services.core.transactions import append_event, authorized_write
from registry.services.namespaces import four_eyes


def grant_role(namespace: Namespace, user: User, role: Role, *, actor: Actor | None) -> Membership:
    """Give an account a role in a namespace, replacing its current role.

    Without a change, nothing is written. Raises `Refused` (CONFLICT) if the namespace
    would lose its last owner.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        current = Membership.objects.filter(namespace=namespace, user=user).first()
        if current and current.role == role:
            return current
        before = current.role if current else None
        if current:
            _refuse_ownerless(current)
        membership, _ = Membership.objects.update_or_create(
            namespace=namespace, user=user, defaults={"role": role}
        )
        append_event(
            "member.granted",
            namespace.name,
            actor=permission.user,
            namespace=namespace.name,
            user=user.username,
            role=role,
            before=before,
        )
        if before in CURATORS:
            four_eyes.record_shortage(namespace, by=permission.user)
    return membership


def revoke_membership(namespace: Namespace, user: User, *, actor: Actor | None) -> None:
    """Remove an account from a namespace.

    Raises `Refused` (CONFLICT) if the account is not a member, and for the last owner.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        members = Membership.objects.select_related("namespace", "user")
        membership = members.filter(namespace=namespace, user=user).first()
        if membership is None:
            raise Refused(Code.CONFLICT, f"{user.username} is not a member of {namespace.name}.")
        end_membership(membership, user, by=permission.user)


def end_membership(membership: Membership, user: User, *, by: User) -> None:
    """Delete a membership, and log it with the name that `user` has in memory.

    Call inside `authorized_write`. Raises `Refused` (CONFLICT) for the last owner.
    """
    _refuse_ownerless(membership)
    membership.delete()
    append_event(
        "member.revoked",
        membership.namespace.name,
        actor=by,
        namespace=membership.namespace.name,
        user=user.username,
        before=membership.role,
    )
    if membership.role in CURATORS:
        four_eyes.record_shortage(membership.namespace, by=by)


def record_closed(user: User, *, by: User) -> None:
    """Log where too few curators are left once an account is closed. Call under the write lock."""
    memberships = Membership.objects.filter(user=user, role__in=CURATORS)
    for membership in memberships.select_related("namespace").order_by("namespace__name"):
        four_eyes.record_shortage(membership.namespace, by=by)


def _refuse_ownerless(membership: Membership) -> None:
    """Raise `Refused` (CONFLICT) if a namespace would have no owner with an open account."""
    owners = Membership.objects.filter(namespace=membership.namespace_id, role=Role.OWNER)
    others = owners.filter(user__is_active=True).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.exists():
        raise Refused(
            Code.CONFLICT,
            f"{membership.user.username} is the last owner of {membership.namespace.name}: "
            "make somebody else an owner first.",
        )
