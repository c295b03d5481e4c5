"""Who may do what: one function decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.models import Membership, Role, Token, User


class Action(StrEnum):
    """What may be asked for. A token holds the scopes of the actions it is for."""

    PUBLISH = "publish"
    YANK = "yank"
    ADMIN = "admin"


ROLES = {
    Action.PUBLISH: {Role.OWNER, Role.CURATOR, Role.MEMBER},
    Action.YANK: {Role.OWNER, Role.CURATOR, Role.MEMBER},
    Action.ADMIN: {Role.OWNER},
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, and the token they ask with, if it is one."""

    user: User
    token: Token | None = None


def demand(actor: Actor | None, action: Action, tag: TagName) -> User:
    """The user who may do this to a tag. Raises `Refused` (UNAUTHENTICATED or FORBIDDEN)."""
    if actor is None:
        raise Refused(
            Code.UNAUTHENTICATED,
            "This needs a token: Authorization: Bearer ttr_<prefix>_<secret>.",
        )
    token = actor.token
    if token and action not in token.scopes.split():
        raise Refused(
            Code.FORBIDDEN, f"The token {token.label!r} is for {token.scopes}, not for {action}."
        )
    if token and not covers(token.pattern, tag):
        raise Refused(
            Code.FORBIDDEN, f"The token {token.label!r} is for {token.pattern}, not for {tag}."
        )
    if actor.user.is_staff:
        return actor.user
    roles = Membership.objects.filter(user=actor.user, namespace__name=tag.namespace)
    if not ROLES[action] & set(roles.values_list("role", flat=True)):
        raise Refused(
            Code.FORBIDDEN,
            f"{actor.user.username} is no member of {tag.namespace} who may {action}.",
        )
    return actor.user


def covers(pattern: str, tag: TagName) -> bool:
    """Whether a token's pattern, a namespace or `ns/prefix/*` or `*`, covers a tag."""
    if pattern == "*":
        return True
    if pattern.endswith("/*"):
        return tag.name.startswith(pattern[:-1])
    return tag.namespace == pattern
