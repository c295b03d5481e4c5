"""The database models and their constraints."""

from registry.models.accounts import Membership, Namespace, Policy, Role, Token, User
from registry.models.duties import Duty
from registry.models.event_log import Event, LogFork, LogKey, LogRange, LogTile
from registry.models.kinds import Kind, KindRevision
from registry.models.lineage import Ancestry, Dependency
from registry.models.lints import LintReport
from registry.models.names import Deprecation, Name, Tag
from registry.models.namespace_requests import (
    NamespaceRequest,
    RequestComment,
    RequestKind,
    RequestState,
)
from registry.models.notices import (
    LogCursor,
    MailChoice,
    Needs,
    NewsFeed,
    Notice,
    NoticeMail,
    Watch,
)
from registry.models.outgoing_mail import OutgoingMail
from registry.models.pending_changes import ChangeKind, PendingChange
from registry.models.proposals import Proposal, ProposalRevision, SavedDraft, Turn
from registry.models.readmes import Readme
from registry.models.revision_triggers import AnswerChange, AnswerRevision
from registry.models.search_index import Attribute, Entry, Posting, Status, Term, TermGram
from registry.models.sessions import Session
from registry.models.totals import Counted, GroupTotal, Total, ValueTotal
from registry.models.trusted_publishers import TrustedPublisher, UsedIdentity
from registry.models.usage import DailyUsage, RecentUsage
from registry.models.versions import Version, VersionKind, VersionLeaf
from registry.models.ways_back import AccountReset, RecoveryKey
from registry.models.webhooks import Webhook, WebhookDelivery
from registry.models.withdrawals import Withdrawal
