"""The one table of who may take which action, which pages, API and admin ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from registry.models import Policy, Role


class Scope(StrEnum):
    """A scope of a token. No scope includes another."""

    PROPOSE = "propose"
    PUBLISH = "publish"
    YANK = "yank"
    ADMIN = "admin"  # everything else that owners, curators and staff do


class Action(StrEnum):
    """An action that needs permission; values are phrases for error messages."""

    PROPOSE = "propose"
    REVIEW = "review proposals"
    PUBLISH = "publish"
    YANK = "yank"
    UNYANK = "unyank"
    DEPRECATE = "deprecate"
    UNDEPRECATE = "undeprecate"
    MARK_FAMILY = "mark families"
    POINT_ALIAS = "point aliases"
    MANAGE_MEMBERS = "manage members"
    DESCRIBE_NAMESPACE = "describe a namespace"
    MAKE_NAMESPACE = "make namespaces"
    REVISE_KIND = "revise kinds"
    REQUEST_NAMESPACE = "request namespaces"
    COMMENT_ON_REQUEST = "comment on requests for namespaces"
    DECIDE_REQUEST = "decide requests for namespaces"
    MANAGE_WEBHOOKS = "manage webhooks"
    TRUST_PUBLISHER = "register trusted publishers"
    ISSUE_TOKEN = "issue tokens"  # noqa: S105 - words
    REVOKE_TOKEN = "revoke tokens"  # noqa: S105 - words
    SAVE_DRAFT = "save drafts"
    KEEP_NEWS = "choose what is news"
    SET_PASSWORD = "set passwords"  # noqa: S105 - words
    STOP_RESET = "stop resets of accounts"
    CLOSE_ACCOUNT = "close an account"
    MANAGE_ACCOUNTS = "manage accounts"


# Relations of an account to the subject of an action.
ANYBODY, ONESELF, SUPERUSER = "anybody", "oneself", "superuser"
MEMBERS = frozenset({Role.OWNER, Role.CURATOR, Role.MEMBER})
CURATORS = frozenset({Role.OWNER, Role.CURATOR})
OWNERS = frozenset({Role.OWNER})
STAFF_ONLY: frozenset[str] = frozenset()
NOBODY = frozenset({"nobody"})


@dataclass(frozen=True, slots=True)
class Rule:
    """The roles that may take an action, and the scope that a token needs for it.

    Without a scope, the action requires a session. `reviewed` replaces `roles` under the review
    policy, `four_eyes` under the four-eyes policy. Staff may too, if `includes_staff`.
    """

    scope: Scope | None
    roles: frozenset[str]
    reviewed: frozenset[str] | None = None
    four_eyes: frozenset[str] | None = None
    includes_staff: bool = True

    def roles_under(self, policy: str) -> frozenset[str]:
        """Return the roles that may take the action under a namespace's policy, besides staff."""
        if policy == Policy.FOUR_EYES and self.four_eyes is not None:
            return self.four_eyes
        if policy != Policy.MEMBERS and self.reviewed is not None:
            return self.reviewed
        return self.roles


# Decision 022: pages, API and admin ask one table.
RULES: Mapping[Action, Rule] = {
    Action.PROPOSE: Rule(Scope.PROPOSE, frozenset({ANYBODY})),
    Action.REVIEW: Rule(Scope.ADMIN, CURATORS),
    Action.PUBLISH: Rule(Scope.PUBLISH, MEMBERS, CURATORS, NOBODY),
    Action.YANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNYANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.DEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNDEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.MARK_FAMILY: Rule(Scope.ADMIN, CURATORS),
    Action.POINT_ALIAS: Rule(Scope.ADMIN, CURATORS),
    Action.MANAGE_MEMBERS: Rule(Scope.ADMIN, OWNERS),
    Action.DESCRIBE_NAMESPACE: Rule(Scope.ADMIN, OWNERS),
    Action.MAKE_NAMESPACE: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.REVISE_KIND: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.REQUEST_NAMESPACE: Rule(None, frozenset({ANYBODY})),
    Action.COMMENT_ON_REQUEST: Rule(Scope.PROPOSE, frozenset({ANYBODY})),
    Action.DECIDE_REQUEST: Rule(None, STAFF_ONLY),
    Action.MANAGE_WEBHOOKS: Rule(None, OWNERS),
    Action.TRUST_PUBLISHER: Rule(None, OWNERS),
    Action.ISSUE_TOKEN: Rule(None, frozenset({ONESELF})),
    Action.REVOKE_TOKEN: Rule(None, frozenset({ONESELF})),
    Action.SAVE_DRAFT: Rule(None, frozenset({ONESELF}), includes_staff=False),
    Action.KEEP_NEWS: Rule(None, frozenset({ONESELF}), includes_staff=False),
    Action.SET_PASSWORD: Rule(None, frozenset({ONESELF, SUPERUSER}), includes_staff=False),
    Action.STOP_RESET: Rule(None, frozenset({ONESELF, SUPERUSER}), includes_staff=False),
    Action.CLOSE_ACCOUNT: Rule(None, frozenset({ONESELF}), includes_staff=False),
    Action.MANAGE_ACCOUNTS: Rule(None, frozenset({SUPERUSER}), includes_staff=False),
}
