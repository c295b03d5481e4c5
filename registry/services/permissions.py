"""Who may do what: one table, and one function that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import OuterRef, Subquery

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Membership, Namespace, Policy, Role, Token, User


class Scope(StrEnum):
    """What a token can be for. None includes another."""

    PROPOSE = "propose"
    PUBLISH = "publish"
    YANK = "yank"
    ADMIN = "admin"  # what a namespace's owners and curators do besides, and staff


class Action(StrEnum):
    """What may be asked for, in the words of a refusal."""

    PROPOSE = "propose"
    REVIEW = "review proposals"
    PUBLISH = "publish"
    YANK = "yank"
    UNYANK = "unyank"
    DEPRECATE = "deprecate"
    UNDEPRECATE = "undeprecate"
    POINT_ALIAS = "point aliases"
    MANAGE_MEMBERS = "manage members"
    DESCRIBE_NAMESPACE = "describe a namespace"
    MAKE_NAMESPACE = "make namespaces"
    REVISE_KIND = "revise kinds"
    ISSUE_TOKEN = "issue tokens"  # noqa: S105 - words
    REVOKE_TOKEN = "revoke tokens"  # noqa: S105 - words


# What somebody can be to that which an action is about. Staff may do everything, but publish where
# nobody may.
ANYBODY, ONESELF = "anybody", "oneself"
MEMBERS = frozenset({Role.OWNER, Role.CURATOR, Role.MEMBER})
CURATORS = frozenset({Role.OWNER, Role.CURATOR})
OWNERS = frozenset({Role.OWNER})
STAFF_ONLY: frozenset[str] = frozenset()
NOBODY = frozenset({"nobody"})


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do something besides staff, and the scope that a token needs for it.

    Without a scope no token will do: what makes tokens is done by people. `reviewed` is who may
    instead where everything is reviewed, `four_eyes` where it is by somebody else.
    """

    scope: Scope | None
    may: frozenset[str]
    reviewed: frozenset[str] | None = None
    four_eyes: frozenset[str] | None = None

    def under(self, policy: str) -> frozenset[str]:
        """Who may under a namespace's policy, besides staff."""
        if policy == Policy.FOUR_EYES and self.four_eyes is not None:
            return self.four_eyes
        if policy != Policy.MEMBERS and self.reviewed is not None:
            return self.reviewed
        return self.may


RULES: Mapping[Action, Rule] = {
    Action.PROPOSE: Rule(Scope.PROPOSE, frozenset({ANYBODY})),
    Action.REVIEW: Rule(Scope.ADMIN, CURATORS),
    Action.PUBLISH: Rule(Scope.PUBLISH, MEMBERS, CURATORS, NOBODY),
    Action.YANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNYANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.DEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNDEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.POINT_ALIAS: Rule(Scope.ADMIN, CURATORS),
    Action.MANAGE_MEMBERS: Rule(Scope.ADMIN, OWNERS),
    Action.DESCRIBE_NAMESPACE: Rule(Scope.ADMIN, OWNERS),
    Action.MAKE_NAMESPACE: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.REVISE_KIND: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.ISSUE_TOKEN: Rule(None, frozenset({ONESELF})),
    Action.REVOKE_TOKEN: Rule(None, frozenset({ONESELF})),
}

# What an action is about: a name, a namespace, whose token it is, or the registry as a whole.
Subject = TagName | Reference | Namespace | User | None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, and the token they ask with, if it is one."""

    user: User
    token: Token | None = None


def demand(actor: Actor | None, action: Action, subject: Subject = None) -> User:
    """The user who may do this to the subject. One query, for the user's role there.

    Whoever the token was issued to, what counts is what they may do now. Raises `Refused`:
    UNAUTHENTICATED for nobody and for a closed account, else FORBIDDEN.
    """
    if actor is None:
        raise Refused(
            Code.UNAUTHENTICATED,
            "This needs a token: Authorization: Bearer ttr_<prefix>_<secret>.",
        )
    if not actor.user.is_active:
        raise Refused(Code.UNAUTHENTICATED, f"The account {actor.user.username} is closed.")
    rule = RULES[action]
    if actor.token:
        _demand_of_token(actor.token, action, rule, subject)
    there = _there(actor.user, subject)
    may = rule.under(there.policy)
    if may is NOBODY:
        raise Refused(
            Code.FORBIDDEN,
            f"Nobody may {action} in {_namespace(subject)}: everything there is reviewed by "
            "somebody else. Propose it.",
        )
    if not actor.user.is_staff and may.isdisjoint(there.standings):
        place = f" for {subject}" if isinstance(subject, User) else f" in {_namespace(subject)}"
        instead = " Propose it instead." if action is Action.PUBLISH else ""
        raise Refused(
            Code.FORBIDDEN,
            f"{actor.user.username} may not {action}{place if subject else ''}; "
            f"who may: {', '.join([*sorted(may), 'staff'])}.{instead}",
        )
    return actor.user


def allowed(actor: Actor | None, action: Action, subject: Subject = None) -> bool:
    """Whether somebody may do something, for a page that offers it."""
    try:
        demand(actor, action, subject)
    except Refused:
        return False
    return True


def covers(pattern: str, subject: Subject) -> bool:
    """Whether a token's pattern covers a subject.

    A namespace covers itself and its names, `ns/prefix/*` the names that begin so, `*` everything.
    """
    if pattern == "*":
        return True
    if subject is None or isinstance(subject, User):
        return False
    if pattern.endswith("/*"):
        return str(subject).startswith(pattern[:-1])
    return _namespace(subject) == pattern


def _demand_of_token(token: Token, action: Action, rule: Rule, subject: Subject) -> None:
    if rule.scope is None:
        raise Refused(Code.FORBIDDEN, f"No token may {action}: sign in to do it.")
    if rule.scope not in token.scopes.split():
        raise Refused(
            Code.FORBIDDEN,
            f"The token {token.label!r} is for {token.scopes}; to {action} takes {rule.scope}.",
        )
    if not covers(token.pattern, subject):
        place = str(subject) if subject else "the registry as a whole"
        raise Refused(
            Code.FORBIDDEN, f"The token {token.label!r} is for {token.pattern}, not for {place}."
        )


@dataclass(frozen=True, slots=True)
class There:
    """What somebody is to a subject, and under which policy of its namespace."""

    standings: frozenset[str]
    policy: str = Policy.MEMBERS


def _there(user: User, subject: Subject) -> There:
    if isinstance(subject, User):
        return There(frozenset({ANYBODY, ONESELF} if user == subject else {ANYBODY}))
    role = Membership.objects.filter(user=user, namespace=OuterRef("pk")).values("role")
    found = Namespace.objects.filter(name=_namespace(subject))
    for policy, held in found.values_list("policy", Subquery(role)):
        return There(frozenset({ANYBODY, held} if held else {ANYBODY}), policy)
    return There(frozenset({ANYBODY}))


def _namespace(subject: Subject) -> str:
    """The first segment of a subject's name; empty for the registry as a whole."""
    return str(subject).partition("/")[0] if subject else ""
