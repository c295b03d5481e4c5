"""Roles that may take each action: one table for pages, API and admin.

Add a row for each action that you declare. `tests/web/core/test_roles.py`,
`tests/api/core/test_roles.py` and `tests/admin/test_roles.py` then check it for every role.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from registry.actions import (
    accounts,
    aliases,
    kinds,
    namespace_requests,
    namespaces,
    news,
    pending_changes,
    proposals,
    readmes,
    subjects,
    tags,
    tokens,
    trusted_publishers,
    versions,
    webhooks,
)
from registry.actions.action_form import ActionForm
from registry.actions.subjects import Subject
from registry.domain.identity_claims import GITHUB
from registry.domain.notices import MailTime, NoticeKind
from registry.models import Policy
from tests.actions.site import PREFIX
from tests.requests import TEXTS

ALL = "nobody stranger submitter member curator owner staff closed"
SIGNED_IN = "stranger submitter member curator owner staff"
MEMBERS, CURATORS, OWNERS = "member curator owner staff", "curator owner staff", "owner staff"
NOBODY, STAFF = "", "staff"
REVIEWED: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: CURATORS}
NOBODY_PUBLISHES: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: ""}

REASON = {"reason": "because"}
SEEN = {"seen": "1", "key": ""}
TEXT = {"text": "because"}
MAIL_TIMES = {str(kind): str(MailTime.DAILY) for kind in NoticeKind}
SCHEMA = "no JSON: a preview comes first"


@dataclass(frozen=True)
class Row:
    """Roles that may take an action, with valid values and an example of its subject.

    `roles_by_policy` replaces `roles` under some policies of the namespace. `admin` are the roles
    that the admin lets take it, `done` is the outcome of the first step.
    """

    subject: str
    roles: str
    values: dict[str, Any] = field(default_factory=dict)
    roles_by_policy: dict[str, str] = field(default_factory=dict)
    admin: str = STAFF
    done: str = "done"


ROWS: dict[type[ActionForm], Row] = {
    versions.Yank: Row("acme/boards/x@2.0.0", MEMBERS, REASON, REVIEWED),
    versions.Unyank: Row("acme/boards/x@3.0.0", MEMBERS, REASON, REVIEWED),
    tags.Deprecate: Row("acme/boards/x", MEMBERS, REASON, REVIEWED),
    tags.Undeprecate: Row("acme/boards/old", MEMBERS, REASON, REVIEWED),
    tags.RenameTag: Row(
        "acme/boards/x", MEMBERS, REASON | {"name": "acme/boards/new"}, NOBODY_PUBLISHES
    ),
    tags.MarkFamily: Row("acme/boards/x", CURATORS, {"to": "family"}),
    tags.UnmarkFamily: Row("acme/boards/family", CURATORS, {"to": "no-family"}),
    aliases.AliasForTag: Row(
        "acme/boards/x", CURATORS, {"text": "acme/boards/Y", "reference": "acme/boards/x"}
    ),
    aliases.RepointAlias: Row(
        "acme/boards/X,y",
        CURATORS,
        {"reference": "acme/boards/old", "expected": "acme/boards/x"},
    ),
    aliases.CreateAlias: Row("", STAFF, {"text": "acme/boards/Y", "reference": "acme/boards/x"}),
    proposals.Comment: Row("{proposal}", SIGNED_IN, SEEN | TEXT),
    proposals.RequestChanges: Row("{proposal}", CURATORS, SEEN | TEXT),
    proposals.Accept: Row("{proposal}", CURATORS, SEEN | TEXT),
    proposals.Reject: Row("{proposal}", CURATORS, SEEN | TEXT),
    proposals.Withdraw: Row("{proposal}", "submitter", SEEN | TEXT),
    proposals.AcceptSelected: Row("", STAFF, {"ticked": "{proposal}:1"}),
    namespaces.CreateNamespace: Row("", STAFF, {"name": "initrode"}),
    namespaces.DescribeNamespace: Row("acme", OWNERS, {"act": "describe", "title": "New"}),
    readmes.WriteReadme: Row("acme", OWNERS, {"text": "Acme makes boards.", "seen": "1"}),
    namespaces.SetPolicy: Row("acme", OWNERS, {"act": "policy", "policy": "curators"}),
    namespaces.GrantRole: Row(
        "acme", OWNERS, {"act": "grant", "user": "stranger", "role": "curator"}
    ),
    namespaces.ChangeRole: Row(
        "{member}", OWNERS, {"act": "role", "member": "{member}", "role": "curator"}
    ),
    namespaces.RemoveMember: Row("{member}", OWNERS),
    pending_changes.ConfirmChange: Row("{change}", CURATORS),
    pending_changes.DiscardChange: Row("{change}", CURATORS),
    namespace_requests.RequestNamespace: Row(
        "", SIGNED_IN, TEXTS | {"name": "initrode", "title": "Initrode"}
    ),
    namespace_requests.ClaimNamespace: Row("arm", SIGNED_IN, TEXTS),
    namespace_requests.CommentOnRequest: Row("{request}", "submitter staff", TEXT | {"key": ""}),
    namespace_requests.WithdrawRequest: Row("{request}", "submitter"),
    namespace_requests.AcceptRequest: Row("{request}", STAFF, TEXT),
    namespace_requests.RejectRequest: Row("{request}", STAFF, TEXT),
    news.Watch: Row("acme/boards/x", SIGNED_IN, {"to": "watch"}),
    news.StopWatching: Row("acme/boards/x", SIGNED_IN, {"to": "stop"}),
    news.ChooseMailTimes: Row("", SIGNED_IN, {"act": "mail"} | MAIL_TIMES),
    news.RenewFeed: Row("", SIGNED_IN, {"act": "feed"}),
    tokens.IssueOwnToken: Row(
        "", SIGNED_IN, {"label": "ci", "scopes": "propose", "pattern": "acme"}
    ),
    tokens.IssueToken: Row(
        "", STAFF, {"label": "ci", "scopes": "propose", "pattern": "acme", "owner": "staff"}
    ),
    tokens.RevokeToken: Row(PREFIX, "submitter"),
    trusted_publishers.RegisterPublisher: Row(
        "acme",
        OWNERS,
        {
            "issuer": GITHUB,
            "claims": "repository=acme/x\nrepository_owner_id=1",
            "scopes": "publish",
            "pattern": "acme",
        },
    ),
    trusted_publishers.RevokePublisher: Row("{publisher}", OWNERS),
    webhooks.AddWebhook: Row("acme", OWNERS, {"url": "https://new.example.org/"}),
    webhooks.RemoveWebhook: Row("{webhook}", OWNERS),
    webhooks.EnableWebhook: Row("{disabled}", OWNERS),
    accounts.CloseAccount: Row("", SIGNED_IN),  # needs the password again
    accounts.CreateUser: Row("", NOBODY, {"username": "new"}, admin=NOBODY),
    accounts.ChangeUser: Row("stranger", NOBODY, {"email": "a@example.org"}, admin=NOBODY),
    accounts.SetPassword: Row("stranger", NOBODY, admin=NOBODY),
    accounts.BeginReset: Row("stranger", NOBODY, {"reason": "lost her phone"}, admin=NOBODY),
    accounts.StopReset: Row("submitter", "submitter", admin=NOBODY),
    accounts.MakeRecoveryKey: Row("", SIGNED_IN),  # needs the password again
    accounts.RemoveIdentity: Row("", "submitter"),  # needs the password again; 404 for others
    accounts.DeleteUser: Row("stranger", NOBODY, admin=NOBODY),
    kinds.CreateKind: Row("", STAFF, {"name": "lvm", "source": SCHEMA}, done="nothing"),
    kinds.ReviseKind: Row("llvm", STAFF, {"source": SCHEMA}, done="nothing"),
}


def declared_actions() -> Iterator[type[ActionForm]]:
    """Yield every declared action."""
    for subject in vars(subjects).values():
        if isinstance(subject, Subject):
            yield from subject.actions


def row_of(action: type[ActionForm]) -> Row:
    """Return the row of an action, or say that it has none."""
    assert action in ROWS, missing_rows()
    return ROWS[action]


def missing_rows() -> list[str]:
    """Return a sentence for each declared action that the table lacks."""
    return [
        f"{action.__name__} has no row: say in ROWS of tests/actions/roles.py who may take it."
        for action in declared_actions()
        if action not in ROWS
    ]
