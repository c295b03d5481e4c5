"""Grants and revokes roles in namespaces."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.models import ChangeKind, Membership, Namespace, PendingChange, Role, User
from registry.services.core import permissions
from registry.services.core.permission_rules import CURATORS, Action
from registry.services.core.permissions import Actor
from registry.services.core.state_tokens import refuse_changed, state_token
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.namespaces import four_eyes


def role_token(membership: Membership) -> str:
    """Return what tells whether the role of a member has changed."""
    return state_token([membership.role])


def grant_role(
    namespace: Namespace, user: User, role: Role, *, actor: Actor | None, seen: str = ""
) -> Membership | None:
    """Give an account a role in a namespace, replacing its current role.

    Without a change, nothing is written. Under four-eyes, a new curator or owner stays pending, and
    None is returned, until somebody else confirms it or grants the same role. Raises `Refused`
    (CONFLICT) if the namespace would lose its last owner, or the account is closed and would get
    more rights; PRECONDITION_FAILED unless `seen`, if stated, is the token of the role as it is.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        current = Membership.objects.select_related("user").filter(namespace=namespace, user=user)
        membership = current.first()
        if membership and membership.role == role:
            return membership
        # Decision 200: a role replaces the one that its form showed.
        token = role_token(membership) if membership else ""
        refuse_changed(seen, token, _changed_role(namespace, user, membership))
        if membership:
            _refuse_ownerless(membership)
        change = PendingChange(
            namespace=Namespace.objects.get(pk=namespace.pk),
            kind=ChangeKind.ROLE,
            subject=namespace.name,
            member=user,
            before=membership.role if membership else "",
            after=str(role),
        )
        requester = None
        is_raised = role in CURATORS and change.before != Role.OWNER
        if is_raised or not membership:
            _refuse_closed(user)
        if is_raised and four_eyes.needs_confirmation(change.namespace, permission.actor):
            requester = four_eyes.request_or_confirm(change, permission)
            if requester is None:
                return None
        return _store_role(change, permission.user, requester)


def confirm_role(number: int, *, actor: Actor | None) -> Membership:
    """Grant a role that somebody else has requested, as a curator, an owner or staff.

    Raises `Refused`: FORBIDDEN for the requester, CONFLICT if the change is no longer pending, its
    requester may no longer request it, or the account is closed.
    """
    namespace = four_eyes.find_pending(number).namespace
    permission = permissions.require(actor, Action.REVIEW, namespace)
    with authorized_write(permission):
        change = four_eyes.find_pending(number)
        four_eyes.require_confirmable(change, permission.user)
        _refuse_closed(_member(change))
        requester = four_eyes.take_confirmed(change, permission.user)
        return _store_role(change, permission.user, requester)


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
    four_eyes.drop_role(membership.namespace.name, membership.user)
    append_event(
        "member.revoked",
        membership.namespace.name,
        actor=by,
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


def _store_role(change: PendingChange, user: User, requester: User | None) -> Membership:
    namespace, member = change.namespace, _member(change)
    membership, _ = Membership.objects.update_or_create(
        namespace=namespace, user=member, defaults={"role": change.after}
    )
    four_eyes.drop_role(namespace.name, member)
    requested = {"requested_by": requester.username} if requester else {}
    append_event(
        "member.granted",
        namespace.name,
        actor=user,
        user=member.username,
        role=change.after,
        before=change.before or None,
        **requested,
    )
    if change.before in CURATORS:
        four_eyes.record_shortage(namespace, by=user)
    return membership


def _changed_role(namespace: Namespace, user: User, membership: Membership | None) -> str:
    """Return the error that a member has another role than a form showed, or none."""
    if membership is None:
        return f"Somebody has removed {user} from {namespace} meanwhile. Reload the page."
    role = Role(membership.role).with_article
    return (
        f"Somebody has made {user} {role} of {namespace} meanwhile. Submit the form again to "
        "replace that."
    )


def _member(change: PendingChange) -> User:
    assert change.member  # noqa: S101 - a database constraint
    return change.member


def _refuse_closed(user: User) -> None:
    """Raise `Refused` (CONFLICT) if an account is closed, so nobody confirms it unawares."""
    if not User.objects.filter(pk=user.pk, is_active=True).exists():
        raise Refused(Code.CONFLICT, f"The account {user} is closed.")


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
