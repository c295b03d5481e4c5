"""Members of namespaces: granting roles and taking them away."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.models import Membership, Namespace, Role, User
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write


def grant_role(namespace: Namespace, user: User, role: Role, *, actor: Actor | None) -> Membership:
    """Give a person a role in a namespace, in place of the one they have.

    Nothing is written where they have it. Raises `Refused` (CONFLICT) where the last owner would
    be none any more.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        held = Membership.objects.filter(namespace=namespace, user=user).first()
        if held and held.role == role:
            return held
        before = held.role if held else None
        if held:
            _refuse_ownerless(held)
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
    return membership


def revoke_membership(namespace: Namespace, user: User, *, actor: Actor | None) -> None:
    """Take a person's role in a namespace away.

    Raises `Refused` (CONFLICT) for who is no member, and for the last owner.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        members = Membership.objects.select_related("namespace", "user")
        held = members.filter(namespace=namespace, user=user).first()
        if held is None:
            raise Refused(Code.CONFLICT, f"{user.username} is no member of {namespace.name}.")
        end_membership(held, user, by=permission.user)


def end_membership(held: Membership, user: User, *, by: User) -> None:
    """Take the role of a user away, who is logged under the name that they have here.

    Call inside `authorized_write`. Raises `Refused` (CONFLICT) for the last owner.
    """
    _refuse_ownerless(held)
    held.delete()
    append_event(
        "member.revoked",
        held.namespace.name,
        actor=by,
        namespace=held.namespace.name,
        user=user.username,
        before=held.role,
    )


def _refuse_ownerless(held: Membership) -> None:
    """Without an owner whose account is open only staff could look after a namespace."""
    owners = Membership.objects.filter(namespace=held.namespace_id, role=Role.OWNER)
    others = owners.filter(user__is_active=True).exclude(pk=held.pk)
    if held.role == Role.OWNER and not others.exists():
        raise Refused(
            Code.CONFLICT,
            f"{held.user.username} is the last owner of {held.namespace.name}: "
            "make somebody else an owner first.",
        )
