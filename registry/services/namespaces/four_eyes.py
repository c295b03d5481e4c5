"""Four-eyes for what is not a proposal: one person requests a change, another one confirms it.

Two people who request the same change have confirmed it. Staff may be one of them. Taking
something away, such as a role, needs one person: it gives nobody a right, and must be quick.
"""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.models import ChangeKind, Membership, Namespace, PendingChange, Policy, Role, User
from registry.services.core import permissions
from registry.services.core.permission_rules import CURATORS, Action
from registry.services.core.permissions import Actor, Permission
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event

MIN_CURATORS = 2  # who can confirm each other's changes
REQUESTER_NEEDS = {  # still, when somebody else confirms
    ChangeKind.ALIAS: Action.POINT_ALIAS,
    ChangeKind.POLICY: Action.DESCRIBE_NAMESPACE,
    ChangeKind.ROLE: Action.MANAGE_MEMBERS,
}


def list_pending(namespace: Namespace) -> list[PendingChange]:
    """Return the changes of a namespace that wait for a second person, oldest first.

    At most one query: only four-eyes has any.
    """
    if namespace.policy != Policy.FOUR_EYES:
        return []
    changes = PendingChange.objects.filter(namespace=namespace)
    return list(changes.select_related("requested_by", "member"))


def find_pending(number: int) -> PendingChange:
    """Return a pending change. Raises `Refused` (CONFLICT) if it was confirmed or discarded."""
    changes = PendingChange.objects.select_related("namespace", "requested_by", "member")
    change = changes.filter(pk=number).first()
    if change is None:
        raise Refused(Code.CONFLICT, "This change is no longer pending: see the log.")
    return change


def needs_confirmation(namespace: Namespace, actor: Actor) -> bool:
    """Return whether a second person must confirm an actor's changes. Operators work alone."""
    return namespace.policy == Policy.FOUR_EYES and not actor.is_operator


# Decision 063: asking for the same change confirms it, so that no route is needed.
def request_or_confirm(change: PendingChange, permission: Permission) -> User | None:
    """Return who else has requested this change; None if nobody has, and it is pending now.

    A request counts if the change is the same, from the same state, and its author may still
    request it. Call inside `authorized_write`.
    """
    pending = _same_subject(change)
    is_same = pending and (pending.before, pending.after) == (change.before, change.after)
    if pending and is_same and pending.requested_by_id == permission.user.pk:
        return None
    if pending and is_same and _may_still_request(pending):
        return take_confirmed(pending, permission.user)
    if pending:
        pending.delete()
    change.requested_by = permission.user
    change.save(force_insert=True)
    _append("change.requested", change, permission.user)
    return None


def require_confirmable(change: PendingChange, user: User) -> None:
    """Raise `Refused` unless a user may confirm a change: FORBIDDEN for the requester.

    CONFLICT if the requester may no longer request it. Writers call it inside `authorized_write`.
    """
    if change.requested_by_id == user.pk:
        raise Refused(
            Code.FORBIDDEN,
            f"You requested this change of {change.subject}; another curator, an owner or staff "
            "confirms it.",
        )
    if not _may_still_request(change):
        raise Refused(
            Code.CONFLICT,
            f"{change.requested_by} may no longer request this change: request it yourself.",
        )


def take_confirmed(change: PendingChange, user: User) -> User:
    """Remove a change that a second person confirms; return who requested it."""
    requester = change.requested_by
    change.delete()
    record_staff_decision(change.namespace, user, change.subject)
    return requester


def discard_change(number: int, *, actor: Actor | None) -> PendingChange:
    """Discard a pending change, as its requester or whoever could confirm it.

    Raises `Refused` (CONFLICT) if it is no longer pending.
    """
    permission = permissions.require(actor, Action.REVIEW, find_pending(number).namespace)
    with authorized_write(permission):
        change = find_pending(number)
        change.delete()
        _append("change.discarded", change, permission.user)
    return change


def drop_role(name: str, user: User) -> None:
    """Delete the pending role of a user in a namespace, because what it started from has changed.

    Call under the write lock.
    """
    PendingChange.objects.filter(namespace__name=name, member=user).delete()


def drop_claim(name: str, user: User) -> None:
    """Delete the ownership that staff has requested for a user whose claim is not accepted.

    What an owner of the namespace has requested is no part of the claim. Call under the write lock.
    """
    owners = Membership.objects.filter(namespace__name=name, role=Role.OWNER).values("user")
    changes = PendingChange.objects.filter(namespace__name=name, member=user, after=Role.OWNER)
    changes.exclude(requested_by__in=owners).delete()


def refuse_alone(namespace: Namespace) -> None:
    """Raise `Refused` (CONFLICT) unless a namespace has two active curators or owners."""
    if _active_curators(namespace) < MIN_CURATORS:
        raise Refused(
            Code.CONFLICT,
            f"Four-eyes needs two curators or owners with open accounts in {namespace}; add one.",
        )


def record_shortage(namespace: Namespace, *, by: User) -> None:
    """Log that too few curators are left to confirm each other's changes, so staff decides instead.

    Call under the write lock, after a role or an account has changed.
    """
    if namespace.policy == Policy.FOUR_EYES:
        curators = _active_curators(namespace)
        if curators < MIN_CURATORS:
            append_event("namespace.understaffed", namespace.name, actor=by, curators=curators)


def record_staff_decision(namespace: Namespace, user: User, subject: object) -> None:
    """Log that staff confirmed something under four-eyes in place of a curator.

    Call under the write lock.
    """
    if namespace.policy != Policy.FOUR_EYES:
        return
    roles = Membership.objects.filter(namespace=namespace, user=user, role__in=CURATORS)
    if not roles.exists():
        append_event(
            "namespace.staff_confirmed",
            namespace.name,
            actor=user,
            confirmed=str(subject),
        )


def _same_subject(change: PendingChange) -> PendingChange | None:
    changes = PendingChange.objects.select_related("namespace", "requested_by")
    same = changes.filter(kind=change.kind, subject=change.subject, member=change.member)
    return same.first()


def _may_still_request(change: PendingChange) -> bool:
    action = REQUESTER_NEEDS[ChangeKind(change.kind)]
    return permissions.allowed(Actor(change.requested_by), action, change.namespace)


def _active_curators(namespace: Namespace) -> int:
    members = Membership.objects.filter(namespace=namespace, role__in=CURATORS)
    return members.filter(user__is_active=True).count()


def _append(action: str, change: PendingChange, user: User) -> None:
    append_event(
        action,
        change.subject,
        actor=user,
        kind=str(change.kind),
        before=change.before or None,
        after=change.after,
        **({"user": change.member.username} if change.member else {}),
    )
