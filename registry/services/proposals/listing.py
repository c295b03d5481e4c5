"""Lists of proposals: the queue, one proposal with its history, and a user's own work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, QuerySet

from registry.domain.errors import printable
from registry.domain.names.choices import check_choice
from registry.domain.proposal_states import UNDECIDED, ProposalState
from registry.models import (
    Membership,
    Namespace,
    Proposal,
    ProposalRevision,
    SavedDraft,
    Turn,
    User,
)
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import CURATORS
from registry.services.namespaces.directory import curator_names
from registry.services.namespaces.lookup import require_namespace
from registry.services.proposals import approvals, timeline
from registry.services.proposals.evaluation import (
    Evaluation,
    evaluate_revision,
    evaluate_revisions,
)

MAX_ROWS = 20  # namespaces with most proposals, and rows of each list of a user's work
ALL = "all"
UNDECIDED_FILTER = "undecided"  # open or changes requested; the default
STATES = (UNDECIDED_FILTER, *(str(state) for state in ProposalState), ALL)


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """Filters by state, namespace, tag and submitter; empty for any."""

    state: str = UNDECIDED_FILTER
    namespace: str = ""
    tag: str = ""
    submitter: str = ""

    @property
    def conditions(self) -> dict[str, Any]:
        """Return all filters but the state, as arguments of `QuerySet.filter`."""
        columns = {
            "namespace__name": self.namespace,
            "tag": self.tag,
            "submitter__username": self.submitter,
        }
        return {column: value for column, value in columns.items() if value}


@dataclass(frozen=True, slots=True)
class ListedProposal:
    """A proposal in a list, with its newest revision and the evaluation of it."""

    proposal: Proposal
    newest: ProposalRevision
    evaluation: Evaluation | None  # None if decided


@dataclass(frozen=True, slots=True)
class ProposalDetail:
    """A proposal with its history, its reviewers and the evaluation of it."""

    proposal: Proposal
    revisions: tuple[ProposalRevision, ...]
    turns: tuple[Turn, ...]
    reviewers: tuple[str, ...]  # names of all curators; empty for staff
    evaluation: Evaluation | None

    @property
    def newest(self) -> ProposalRevision:
        """Return the revision under review."""
        return self.revisions[-1]


@dataclass(frozen=True, slots=True)
class YourWork:
    """A user's drafts, proposals, reviews and roles. The lists of proposals have at most 20."""

    drafts: tuple[SavedDraft, ...]  # all, without their form data
    changes_requested: Page[Proposal]  # the oldest
    open: Page[Proposal]  # the oldest
    decided: tuple[Proposal, ...]  # most recent first
    to_review: tuple[Proposal, ...]  # by others, in namespaces that the user curates
    to_review_count: int
    roles: tuple[Membership, ...]  # all


def parse_filters(
    *, state: str = "", namespace: str = "", tag: str = "", submitter: str = ""
) -> QueueFilters:
    """Return the filters of a list. Raises `Refused`: FILTER_INVALID, NAMESPACE_UNKNOWN."""
    if state:
        check_choice("state", state, STATES)
    name = require_namespace(namespace).name if namespace else ""
    return QueueFilters(state or UNDECIDED_FILTER, name, printable(tag), printable(submitter))


def list_queue(
    filters: QueueFilters, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[ListedProposal]:
    """Return a page of proposals, the oldest first. Two queries more than `evaluate_revisions`."""
    proposals = _in_state(Proposal.objects.filter(**filters.conditions), filters.state)
    if after:
        proposals = proposals.filter(pk__gt=after[0])
    page = paginate(
        proposals.as_listed().oldest_first(), key=lambda proposal: [proposal.pk], limit=limit
    )
    return Page(with_evaluations(page.rows), page.next_key)


def _in_state(proposals: Any, state: str) -> Any:
    if state == ALL:
        return proposals
    return proposals.filter(state__in=UNDECIDED if state == UNDECIDED_FILTER else (state,))


def with_evaluations(proposals: Sequence[Proposal]) -> tuple[ListedProposal, ...]:
    """Return proposals with their evaluations. One query more than `evaluate_revisions`."""
    newest = {revision.proposal_id: revision for revision in newest_revisions(proposals)}
    undecided = [newest[proposal.pk] for proposal in proposals if proposal.is_undecided]
    evaluations = evaluate_revisions(undecided) if undecided else {}
    return tuple(
        ListedProposal(proposal, newest[proposal.pk], evaluations.get(newest[proposal.pk].pk))
        for proposal in proposals
    )


def newest_revisions(proposals: Sequence[Proposal]) -> list[ProposalRevision]:
    """Return the newest revision of each proposal. One query."""
    by_key = {proposal.pk: proposal for proposal in proposals}
    rows = ProposalRevision.objects.filter(proposal__in=by_key, number=F("proposal__revision"))
    revisions = list(rows)
    for revision in revisions:
        revision.proposal = by_key[revision.proposal_id]
    return revisions


def count_by_state(filters: QueueFilters) -> Mapping[str, int]:
    """Return the number of proposals in each state, regardless of the state filter. One query."""
    counts = state_counts(Proposal.objects.filter(**filters.conditions))
    undecided = sum(counts[state] for state in UNDECIDED)
    return {UNDECIDED_FILTER: undecided, **counts, ALL: sum(counts.values())}


def state_counts(proposals: QuerySet[Proposal]) -> dict[str, int]:
    """Return the number of proposals in each state. One query."""
    grouped = proposals.order_by().values("state").annotate(count=Count("pk"))
    counts = {row["state"]: row["count"] for row in grouped}
    return {str(state): counts.get(str(state), 0) for state in ProposalState}


def top_namespaces(filters: QueueFilters) -> list[tuple[str, int]]:
    """Return the namespaces with most proposals, regardless of the namespace filter. One query."""
    conditions = replace(filters, namespace="").conditions
    proposals = _in_state(Proposal.objects.filter(**conditions), filters.state)
    counted = proposals.order_by().values("namespace__name").annotate(count=Count("pk"))
    top = counted.order_by("-count", "namespace__name")[:MAX_ROWS]
    return [(row["namespace__name"], row["count"]) for row in top]


def count_undecided(namespace: Namespace) -> int:
    """Return the number of undecided proposals of a namespace. One query."""
    return Proposal.objects.undecided().filter(namespace=namespace).count()


def proposal_detail(number: int) -> ProposalDetail:
    """Return a proposal. Raises `Refused` (PROPOSAL_UNKNOWN). Four queries, more to evaluate it."""
    proposal = timeline.find_proposal(number)
    revisions = tuple(ProposalRevision.objects.filter(proposal=proposal).order_by("number"))
    for revision in revisions:
        revision.proposal = proposal
    turns = Turn.objects.filter(proposal=proposal).select_related("author").order_by("sequence")
    curators = curator_names(proposal.namespace_id)
    evaluation = evaluate_revision(revisions[-1]) if proposal.is_undecided else None
    return ProposalDetail(proposal, revisions, tuple(turns), curators, evaluation)


def _reviewable(user: User) -> Any:
    """Return the open proposals that an account may decide."""
    proposals = Proposal.objects.filter(state=ProposalState.OPEN)
    if user.is_staff:
        return proposals
    curated = Membership.objects.filter(user=user, role__in=CURATORS).values("namespace")
    return proposals.filter(namespace__in=curated)


def next_to_review(user: User, filters: QueueFilters, *, after: int) -> Proposal | None:
    """Return the proposal that a reviewer would read after one, of those that filters leave.

    The oldest one with a higher number, or else the oldest one; none that waits for a second person
    only. At most two queries.
    """
    reviewable = _reviewable(user).filter(**filters.conditions).oldest_first()
    waiting = approvals.not_approved(reviewable, by=user)
    return waiting.filter(pk__gt=after).first() or waiting.filter(pk__lt=after).first()


def your_work(user: User) -> YourWork:
    """Return the work of a user. Seven queries."""
    own = Proposal.objects.filter(submitter=user).as_listed().order_by("pk")
    roles = Membership.objects.filter(user=user).select_related("namespace")
    reviewable = _reviewable(user)
    waiting = reviewable.select_related("namespace", "submitter").oldest_first()
    return YourWork(
        # The write keeps them few, and only here can they be opened and deleted.
        drafts=tuple(SavedDraft.objects.filter(owner=user).defer("form_data").order_by("-changed")),
        changes_requested=_first(own.filter(state=ProposalState.CHANGES_ASKED)),
        open=_first(own.filter(state=ProposalState.OPEN)),
        decided=tuple(own.exclude(state__in=UNDECIDED).last_changed_first()[:MAX_ROWS]),
        to_review=tuple(waiting[:MAX_ROWS]),
        to_review_count=reviewable.count(),
        roles=tuple(roles.order_by("namespace__name")),
    )


def _first(proposals: QuerySet[Proposal]) -> Page[Proposal]:
    return paginate(proposals, key=lambda proposal: [proposal.pk], limit=MAX_ROWS)
