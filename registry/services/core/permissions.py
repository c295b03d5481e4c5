"""Checks permissions by the table of rules, before a write and again under the write lock."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Namespace, Policy, Role, Token, User
from registry.services.core import current_rights, machine_accounts
from registry.services.core.current_rights import CurrentRights, TokenState
from registry.services.core.permission_rules import (
    ANYBODY,
    NOBODY,
    ONESELF,
    RULES,
    SUPERUSER,
    Action,
    Rule,
)
from ttag_rules.names import COMPONENT, MAX_TAG

# The subject of an action: a tag, a namespace, an account, or None for the registry as a whole.
Subject = TagName | Reference | Namespace | User | None


@dataclass(frozen=True, slots=True)
class Actor:
    """The account that makes a request, and its token, if any."""

    user: User
    token: Token | None = None
    is_operator: bool = False
    is_confirmed: bool = False  # has shown who they are again in this session, minutes ago

    @classmethod
    def operator(cls, user: User) -> Actor:
        """Return the actor of a management command, whose events name an account.

        Permissions are not checked: operators have access to the database anyway.
        """
        return cls(user, is_operator=True)

    @property
    def attribution(self) -> dict[str, Any]:
        """Return what events of this actor also say: which trusted publisher's token was used."""
        if self.token is None or self.token.publisher_id is None:
            return {}
        return {"publisher": self.token.publisher_id, "token": self.token.prefix}


@dataclass(frozen=True, slots=True)
class Permission:
    """An actor's permission for an action, as of the last check.

    `require` returns one; `transactions.authorized_write` checks it again under the write lock.
    """

    actor: Actor
    action: Action
    subjects: tuple[Subject, ...]

    @property
    def user(self) -> User:
        """Return the actor's account."""
        return self.actor.user

    def check(self, *, is_write: bool = False) -> None:
        """Check every subject against the rights in the database. One query.

        A write as an owner may need a second factor; to look at a page never does. Raises
        `Refused`: UNAUTHENTICATED if the account is closed or the token is revoked or expired,
        otherwise FORBIDDEN.
        """
        if self.actor.is_operator:
            return
        current = _current_rights(self.actor, self.subjects)
        for subject in self.subjects:
            _check_one(self.actor, current, self.action, subject)
            if is_write:
                _check_factor(self.actor, current, self.action, subject)


def require(actor: Actor | None, action: Action, subject: Subject = None) -> Permission:
    """Return the permission of an actor to take an action on a subject. One query.

    A token can never do more than its owner can now. Raises `Refused`: UNAUTHENTICATED if there is
    no actor, the account is closed, or the token is revoked or expired; otherwise FORBIDDEN.
    """
    return require_all(actor, action, [subject])


def require_all(actor: Actor | None, action: Action, subjects: Collection[Subject]) -> Permission:
    """Return the permission of an actor to take an action on all subjects. One query.

    Raises `Refused` as `require` does, for the first subject that fails.
    """
    permission = Permission(authenticated(actor), action, tuple(subjects))
    permission.check()
    return permission


def require_own(actor: Actor | None, action: Action) -> Permission:
    """Return the permission of an actor to take an action on their own account. One query.

    Raises `Refused` as `require` does.
    """
    actor = authenticated(actor)
    return require(actor, action, actor.user)


def authenticated(actor: Actor | None) -> Actor:
    """Return the actor. Raises `Refused` (UNAUTHENTICATED) if there is none."""
    if actor is None:
        raise Refused(
            Code.UNAUTHENTICATED,
            "This requires a token: Authorization: Bearer ttr_<prefix>_<secret>.",
        )
    return actor


def allowed(actor: Actor | None, action: Action, subject: Subject = None) -> bool:
    """Return whether an actor may take an action. One query."""
    try:
        require(actor, action, subject)
    except Refused:
        return False
    return True


def filter_allowed(
    actor: Actor | None, action: Action, subjects: Collection[Subject]
) -> list[Subject]:
    """Return the subjects on which an actor may take an action. One query."""
    actor = authenticated(actor)
    if actor.is_operator:
        return list(subjects)
    current = _current_rights(actor, subjects)

    def is_allowed(subject: Subject) -> bool:
        try:
            _check_one(actor, current, action, subject)
        except Refused:
            return False
        return True

    return [subject for subject in subjects if is_allowed(subject)]


def covers(pattern: str, subject: Subject) -> bool:
    """Return whether a token's pattern covers a subject.

    A namespace covers itself and its tags, `ns/prefix/*` the tags under a prefix, `*` everything.
    """
    if pattern == "*":
        return True
    if subject is None or isinstance(subject, User):
        return False
    if pattern.endswith("/*"):
        return str(subject).startswith(pattern[:-1])
    return _namespace(subject) == pattern


def is_pattern(text: str) -> bool:
    """Return whether a text is a token's pattern: `*`, a namespace, or `ns/prefix/*`."""
    *parts, last = text.split("/")
    components = parts if last == "*" and parts else [*parts, last]
    is_valid = text == "*" or all(COMPONENT.fullmatch(part) for part in components)
    return is_valid and (last == "*" or not parts) and len(text) <= MAX_TAG


def refuse_unconfirmed(actor: Actor) -> None:
    """Raise `Refused` (FORBIDDEN) if the actor has to show again who they are, and can."""
    has_confirmed = actor.is_confirmed or actor.is_operator
    if not has_confirmed and machine_accounts.has_way_in(actor.user):
        raise Refused(Code.FORBIDDEN, "Enter your password again first.")


def refuse_inactive_token(token: Token, *, is_revoked: bool, is_expired: bool) -> None:
    """Raise `Refused` (UNAUTHENTICATED) if a token is revoked or expired."""
    if is_revoked:
        raise Refused(Code.UNAUTHENTICATED, f"The token {token.label!r} is revoked.")
    if is_expired:
        date = f" on {token.expires:%Y-%m-%d}" if token.expires else ""
        raise Refused(Code.UNAUTHENTICATED, f"The token {token.label!r} expired{date}.")


def _current_rights(actor: Actor, subjects: Collection[Subject]) -> CurrentRights:
    """Return an actor's current rights. Raises `Refused` (UNAUTHENTICATED)."""
    names = {
        _namespace(subject) for subject in subjects if subject and not isinstance(subject, User)
    }
    current = current_rights.read(actor.user, actor.token, names)
    if current is None or not current.account.is_active:
        name = current.account.username if current else actor.user.username
        raise Refused(Code.UNAUTHENTICATED, f"The account {name} is closed.")
    if actor.token and current.token:
        refuse_inactive_token(
            actor.token, is_revoked=current.token.is_revoked, is_expired=current.token.is_expired
        )
    return current


def _check_one(actor: Actor, current: CurrentRights, action: Action, subject: Subject) -> None:
    rule = RULES[action]
    if actor.token and current.token:
        _check_token(actor.token, current.token, action, rule, subject)
    account, namespace = current.account, "" if isinstance(subject, User) else _namespace(subject)
    roles = rule.roles_under(current.policies.get(namespace, Policy.MEMBERS))
    if roles is NOBODY:
        raise Refused(
            Code.FORBIDDEN,
            f"Nobody may {action} in {namespace} without a review by somebody else. "
            "Propose it instead.",
        )
    is_staff = account.is_staff and rule.includes_staff
    if not is_staff and roles.isdisjoint(_relations(current, namespace, subject)):
        place = f" for {subject}" if isinstance(subject, User) else f" in {namespace}"
        instead = " Propose it instead." if action is Action.PUBLISH else ""
        staff = ["staff"] if rule.includes_staff else []
        raise Refused(
            Code.FORBIDDEN,
            f"{account.username} may not {action}{place if subject else ''}; "
            f"allowed: {', '.join([*sorted(roles), *staff])}.{instead}",
        )


# Decision 179: what others build on is not lost with one password.
def _check_factor(actor: Actor, current: CurrentRights, action: Action, subject: Subject) -> None:
    """Raise `Refused` (FORBIDDEN) if an owner acts without the second factor that is required.

    Staff acts as staff, which `ADMIN_NEEDS_FACTOR` is about, and a trusted publisher by the
    identity of its job.
    """
    rule, namespace = RULES[action], _namespace(subject)
    is_by_role = Role.OWNER in rule.roles and not (current.account.is_staff and rule.includes_staff)
    is_owner = current.roles.get(namespace) == Role.OWNER
    if not is_by_role or not is_owner or (actor.token and actor.token.publisher_id):
        return
    if current.lacks_factor and namespace in current.factor_required:
        raise Refused(
            Code.FORBIDDEN,
            f"Other namespaces build on {namespace}, so its owners need a second factor to "
            f"{action}, and {current.account.username} has none. Set one up: your account, "
            "Second factor. Tokens then work again, too.",
        )


def _check_token(
    token: Token, current: TokenState, action: Action, rule: Rule, subject: Subject
) -> None:
    if rule.scope is None:
        raise Refused(Code.FORBIDDEN, f"Tokens may not {action}: sign in instead.")
    if rule.scope not in current.scopes:
        scopes = " ".join(sorted(current.scopes))
        raise Refused(
            Code.FORBIDDEN,
            f"The token {token.label!r} (scopes: {scopes}) needs the scope {rule.scope} to "
            f"{action}.",
        )
    if not covers(current.pattern, subject):
        place = str(subject) if subject else "the registry as a whole"
        raise Refused(
            Code.FORBIDDEN,
            f"The token {token.label!r} is valid for {current.pattern}, not for {place}.",
        )


def _relations(current: CurrentRights, namespace: str, subject: Subject) -> set[str]:
    """Return every relation of an account to a subject."""
    relations = {ANYBODY}
    if current.account.is_superuser:
        relations.add(SUPERUSER)
    if isinstance(subject, User) and subject.pk == current.account.pk:
        relations.add(ONESELF)
    if namespace in current.roles:
        relations.add(current.roles[namespace])
    return relations


def _namespace(subject: Subject) -> str:
    """Return the first segment of a subject's name; empty for the registry as a whole."""
    return str(subject).partition("/")[0] if subject else ""
