"""Every constraint of the database rejects its violations."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from registry.domain.proposal_states import ProposalState
from registry.models import (
    AccountReset,
    Ancestry,
    AnswerChange,
    DailyUsage,
    Dependency,
    Deprecation,
    Duty,
    Entry,
    Event,
    GroupTotal,
    Kind,
    KindRevision,
    LintReport,
    LogCursor,
    LogFork,
    LogKey,
    LogRange,
    LogTile,
    MailChoice,
    Membership,
    Name,
    Namespace,
    NamespaceRequest,
    NewsFeed,
    Notice,
    NoticeMail,
    OutgoingMail,
    PendingChange,
    Posting,
    Proposal,
    ProposalRevision,
    Readme,
    RecentUsage,
    RecoveryKey,
    RequestComment,
    SavedDraft,
    Session,
    Status,
    Tag,
    Term,
    TermGram,
    Token,
    Total,
    TrustedPublisher,
    Turn,
    UsedIdentity,
    User,
    ValueTotal,
    Version,
    VersionKind,
    VersionLeaf,
    Watch,
    Webhook,
    WebhookDelivery,
    Withdrawal,
)
from tests.models.rows import another, own_models

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_table")]

Violation = Callable[[], object]


def tag_without_name() -> Tag:
    """Create a tag without a name of its own."""
    return another(Tag, text="acme/other")


def bob() -> User:
    return User.objects.create_user("bob")


def pending_roles() -> None:
    """Create two pending roles of one user in a namespace."""
    bob = User.objects.create_user("bob")
    for subject in ("acme", "other"):
        another(PendingChange, subject=subject, kind="role", member=bob)


def version_without_lints() -> Version:
    """Return a version that has no lints."""
    return Version.objects.filter(lint_report=None)[0]


def dependency_on_itself() -> Dependency:
    return another(
        Dependency, position=99, resolved_id=Dependency.objects.order_by("pk")[0].version_id
    )


def ancestry_at_a_used_position() -> Ancestry:
    return another(Ancestry, ancestor=Version.objects.order_by("-pk")[0])


def unaccepted_proposal(**changes: object) -> Proposal:
    """Create a proposal that was not published."""
    return another(Proposal, **{"pk": 99, "state": ProposalState.OPEN, "version": None, **changes})


def decided_request(state: str) -> NamespaceRequest:
    """Create a request that somebody decided without a reason."""
    decision = {"decider": User.objects.get(username="alice"), "decided": timezone.now()}
    return another(NamespaceRequest, pk=99, name="other", state=state, **decision)


VIOLATIONS: dict[str, Violation] = {
    "account_reset_expires_later": lambda: another(
        AccountReset, user=bob(), expires=AccountReset.objects.get().valid_from
    ),
    "account_reset_keeps_no_secret": lambda: another(AccountReset, user=bob(), digest="code"),
    "ancestry_once": lambda: another(Ancestry, position=99),
    "ancestry_order": ancestry_at_a_used_position,
    "daily_usage_counts": lambda: another(DailyUsage, tag=tag_without_name(), resolves=0),
    "daily_usage_once": lambda: another(DailyUsage),
    "dependency_on_another": dependency_on_itself,
    "dependency_once": lambda: another(Dependency),
    "dependency_relation_known": lambda: another(Dependency, position=99, relation="uses"),
    "deprecation_once": lambda: another(Deprecation),
    "deprecation_says_why": lambda: another(Deprecation, sequence=2, reason=""),
    "entry_has_version_unless_yanked": lambda: another(
        Entry, text="acme/other", tag=tag_without_name(), version=None, status=Status.ACTIVE
    ),
    "event_counts_from_one": lambda: another(Event, number=0),
    "failed_mail_keeps_no_content": lambda: another(
        OutgoingMail, message_id="<2@example.org>", failed=timezone.now()
    ),
    "held_duty_has_a_holder": lambda: another(Duty, pk="backup", holder=""),
    "group_total_once": lambda: another(GroupTotal),
    "kind_revision_counts_from_one": lambda: another(KindRevision, number=0),
    "kind_revision_once": lambda: another(KindRevision),
    "lint_report_has_lints": lambda: another(LintReport, version=version_without_lints(), count=0),
    "log_key_once": lambda: another(LogKey),
    "log_range_not_empty": lambda: another(LogRange, size=0),
    "log_tile_once": lambda: another(LogTile),
    "mail_choice_kind_known": lambda: another(MailChoice, kind="gossip"),
    "mail_choice_once": lambda: another(MailChoice),
    "mail_choice_time_known": lambda: another(MailChoice, kind="review", time="hourly"),
    "membership_once": lambda: another(Membership),
    "membership_role_known": lambda: another(
        Membership, role="king", user=User.objects.create_user("bob")
    ),
    "name_of_tag_floats": lambda: another(
        Name, text="acme/other", tag=tag_without_name(), is_alias=False, major=1
    ),
    "name_of_tag_once": lambda: another(Name, text="acme/other", is_alias=False),
    "name_selector_whole": lambda: another(Name, text="acme/other", is_alias=True, minor=1),
    "posting_once": lambda: another(Posting),
    "namespace_is_a_component": lambda: another(Namespace, name="-acme"),
    "namespace_policy_known": lambda: another(Namespace, name="other", policy="nobody"),
    "namespace_request_claim_has_evidence": lambda: another(
        NamespaceRequest, pk=99, name="other", kind="claim", evidence=""
    ),
    "namespace_request_decided_by_somebody": lambda: another(
        NamespaceRequest, pk=99, name="other", state="accepted"
    ),
    "namespace_request_kind_known": lambda: another(
        NamespaceRequest, pk=99, name="other", kind="gift"
    ),
    "namespace_request_open_once": lambda: another(NamespaceRequest, pk=99),
    "namespace_request_rejected_with_reason": lambda: decided_request("rejected"),
    "namespace_request_state_known": lambda: decided_request("lost"),
    "notice_kind_known": lambda: another(Notice, user=bob(), kind="gossip"),
    "notice_needs_known": lambda: another(Notice, user=bob(), needs="king"),
    "notice_once": lambda: another(Notice),
    "pending_change_kind_known": lambda: another(PendingChange, subject="x", kind="name"),
    "pending_change_once": lambda: another(PendingChange),
    "pending_role_names_a_member": lambda: another(PendingChange, subject="x", kind="role"),
    "pending_role_once": pending_roles,
    "proposal_accepted_is_published": lambda: another(Proposal, pk=99, version=None),
    "proposal_counts_revisions_from_one": lambda: unaccepted_proposal(revision=0),
    "proposal_revision_counts_from_one": lambda: another(ProposalRevision, number=0),
    "proposal_revision_once": lambda: another(ProposalRevision),
    "proposal_state_known": lambda: unaccepted_proposal(state="forgotten"),
    "readme_revision_counts_from_one": lambda: another(Readme, number=0),
    "readme_revision_once": lambda: another(Readme),
    "recent_usage_counts": lambda: another(RecentUsage, tag=tag_without_name(), resolves=0),
    "recovery_key_keeps_no_secret": lambda: another(RecoveryKey, user=bob(), digest="key"),
    "request_comment_has_text": lambda: another(RequestComment, sequence=99, key="", text=""),
    "request_comment_once": lambda: another(RequestComment, key=""),
    "request_comment_sent_once": lambda: another(RequestComment, sequence=99),
    "term_gram_once": lambda: another(TermGram),
    "total_once": lambda: another(Total),
    "trusted_publisher_once": lambda: another(TrustedPublisher),
    "trusted_publisher_scopes_known": lambda: another(
        TrustedPublisher, pattern="acme/x/*", scopes="admin"
    ),
    "used_identity_keeps_no_token": lambda: another(UsedIdentity, pk="the token itself"),
    "token_keeps_no_secret": lambda: another(Token, prefix="other", digest="the secret itself"),
    "turn_action_known": lambda: another(Turn, sequence=99, key="", action="praise"),
    "turn_once": lambda: another(Turn, key=""),
    "turn_sent_once": lambda: another(Turn, sequence=99),
    "value_total_once": lambda: another(ValueTotal),
    "version_build_digest_form": lambda: another(Version, patch=99, build_digest="bk1:abc"),
    "version_counts_from_one": lambda: another(Version, major=0),
    "version_depth_bounded": lambda: another(Version, patch=99, depth=33),
    "version_digest_form": lambda: another(Version, patch=99, digest="sha256:abc"),
    "version_kind_once": lambda: another(VersionKind),
    "version_mixin_has_no_keys": lambda: another(
        Version, patch=99, kind="", tuning_keys="{}", is_host_dependent=False
    ),
    "version_number_once": lambda: another(Version),
    "watch_once": lambda: another(Watch),
    "webhook_delivery_once": lambda: another(WebhookDelivery, message_id="msg_2"),
    "webhook_once": lambda: another(Webhook),
    "withdrawal_once": lambda: another(Withdrawal),
    "withdrawal_says_why": lambda: another(Withdrawal, sequence=99, reason=""),
}

UNIQUE_COLUMNS: dict[str, Violation] = {
    "registry_accountreset.user_id": lambda: another(AccountReset),
    "registry_answerchange.number": lambda: another(AnswerChange),
    "registry_duty.name": lambda: another(Duty),
    "registry_entry.tag_id": lambda: another(
        Entry, text="acme/other", version=None, status=Status.YANKED
    ),
    "registry_entry.text": lambda: another(
        Entry, tag=tag_without_name(), version=None, status=Status.YANKED
    ),
    "registry_entry.version_id": lambda: another(Entry, text="acme/other", tag=tag_without_name()),
    "registry_event.number": lambda: another(Event),
    "registry_kind.name": lambda: another(Kind),
    "registry_lintreport.version_id": lambda: another(LintReport),
    "registry_logcursor.name": lambda: another(LogCursor),
    "registry_logfork.origin": lambda: another(LogFork),
    "registry_logrange.size": lambda: another(LogRange),
    "registry_name.text": lambda: another(Name, tag=tag_without_name()),
    "registry_namespace.name": lambda: another(Namespace),
    "registry_newsfeed.user_id": lambda: another(NewsFeed),
    "registry_noticemail.notice_id": lambda: another(NoticeMail),
    "registry_outgoingmail.message_id": lambda: another(OutgoingMail),
    "registry_proposal.version_id": lambda: another(Proposal, pk=99),
    "registry_recentusage.tag_id": lambda: another(RecentUsage),
    "registry_recoverykey.user_id": lambda: another(RecoveryKey),
    "registry_saveddraft.key": lambda: another(SavedDraft),
    "registry_session.session_key": lambda: another(Session),
    "registry_tag.text": lambda: another(Tag),
    "registry_term.text": lambda: another(Term),
    "registry_token.prefix": lambda: another(Token),
    "registry_usedidentity.digest": lambda: another(UsedIdentity),
    "registry_user.username": lambda: another(User),
    "registry_versionleaf.event": lambda: another(VersionLeaf),
    "registry_webhookdelivery.message_id": lambda: another(
        WebhookDelivery, event=Event.objects.latest("number")
    ),
}


def refusal(violate: Violation) -> str:
    """Return the database's error in one line."""
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        violate()
    return " ".join(str(refused.value).split())


def constraints() -> dict[str, tuple[type[models.Model], models.BaseConstraint]]:
    return {
        constraint.name: (model, constraint)
        for model in own_models()
        for constraint in model._meta.constraints
    }


def test_every_constraint_and_unique_column_has_a_case() -> None:
    columns = {
        f"{model._meta.db_table}.{field.column}"
        for model in own_models()
        for field in model._meta.local_concrete_fields
        if field.unique and field.get_internal_type() != "BigAutoField"
    }
    assert sorted(VIOLATIONS) == sorted(constraints())
    assert sorted(UNIQUE_COLUMNS) == sorted(columns)


@pytest.mark.parametrize("name", VIOLATIONS)
def test_constraints_reject_violations(name: str) -> None:
    model, constraint = constraints()[name]
    message = refusal(VIOLATIONS[name])
    if connection.vendor == "sqlite" and isinstance(constraint, models.UniqueConstraint):
        # SQLite names the columns instead.
        columns = {field.name: field.column for field in model._meta.local_concrete_fields}
        name = ", ".join(f"{model._meta.db_table}.{columns[field]}" for field in constraint.fields)
    assert message.endswith(f"constraint failed: {name}") or f'constraint "{name}"' in message


@pytest.mark.parametrize("column", UNIQUE_COLUMNS)
def test_unique_columns_reject_duplicates(column: str) -> None:
    message = refusal(UNIQUE_COLUMNS[column])
    expected = f"Key ({column.partition('.')[2]})=("
    assert message == f"UNIQUE constraint failed: {column}" or expected in message
