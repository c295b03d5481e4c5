"""Proposals for everybody to read: the queue, one with its history, what concerns somebody."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, QuerySet

from registry.domain.errors import Code, Fault, Refused, echo
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
from registry.services.core.paging import PAGE, Page, paginate
from registry.services.core.permissions import CURATORS
from registry.services.namespaces.lookup import known_namespace
from registry.services.proposals import evaluation, timeline
from registry.services.proposals.evaluation import Verdict

MAX_NAMED = 20  # curators that a proposal names, and rows of each list of what concerns somebody
ALL = "all"
UNDECIDED_WORD = "undecided"  # open, or changes asked: what is shown unless another is asked for
STATES = (UNDECIDED_WORD, *(str(state) for state in ProposalState), ALL)


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """Which proposals: of a namespace, for a tag, of a person; empty for any."""

    state: str = UNDECIDED_WORD
    namespace: str = ""
    tag: str = ""
    submitter: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """All but the state, as the database has it."""
        asked = {
            "namespace__name": self.namespace,
            "tag": self.tag,
            "submitter__username": self.submitter,
        }
        return {column: value for column, value in asked.items() if value}


@dataclass(frozen=True, slots=True)
class ListedProposal:
    """A proposal in a list: its newest revision, and what would become of it today."""

    proposal: Proposal
    newest: ProposalRevision
    verdict: Verdict | None  # of the undecided


@dataclass(frozen=True, slots=True)
class ProposalDetail:
    """A proposal with its whole history, who is asked, and what would become of it today."""

    proposal: Proposal
    revisions: tuple[ProposalRevision, ...]
    turns: tuple[Turn, ...]
    asked: tuple[str, ...]  # curators' names; empty: staff
    verdict: Verdict | None

    @property
    def newest(self) -> ProposalRevision:
        """The revision that is decided on."""
        return self.revisions[-1]


@dataclass(frozen=True, slots=True)
class YourWork:
    """What waits for somebody, and what became of what they did."""

    drafts: tuple[SavedDraft, ...]
    waiting_for_me: tuple[Proposal, ...]  # mine, changes asked
    mine: tuple[Proposal, ...]  # mine, waiting for curators
    decided: tuple[Proposal, ...]  # mine, lately
    to_review: tuple[Proposal, ...]  # in namespaces where I curate, others' before my own
    to_review_count: int
    roles: tuple[Membership, ...]


def parse_filters(
    *, state: str = "", namespace: str = "", tag: str = "", submitter: str = ""
) -> QueueFilters:
    """What a list is asked for. Raises `Refused`: FILTER_INVALID, NAMESPACE_UNKNOWN."""
    if state and state not in STATES:
        message, expected = f"state={echo(state)} is no state", "one of " + ", ".join(STATES)
        fault = Fault("", Code.FILTER_INVALID, message, expected, echo(state))
        raise Refused(Code.FILTER_INVALID, f"{message}: expected {expected}.", faults=[fault])
    name = known_namespace(namespace).name if namespace else ""
    return QueueFilters(state or UNDECIDED_WORD, name, _spelt(tag), _spelt(submitter))


def _spelt(text: str) -> str:
    return text if text.isprintable() else echo(text)  # a control character is in no name


def list_queue(asked: QueueFilters, *, after: Sequence[Any] | None = None) -> Page[ListedProposal]:
    """A page of proposals, the oldest first, each undecided one judged today. Eleven queries."""
    found = _in_state(Proposal.objects.filter(**asked.facts), asked.state)
    if after:
        found = found.filter(pk__gt=after[0])
    shown = paginate(
        found.as_listed().oldest_first(),
        key=lambda proposal: [proposal.pk],
    )
    return Page(with_verdicts(shown.rows), shown.following)


def _in_state(found: Any, state: str) -> Any:
    if state == ALL:
        return found
    return found.filter(state__in=UNDECIDED if state == UNDECIDED_WORD else (state,))


def with_verdicts(proposals: Sequence[Proposal]) -> tuple[ListedProposal, ...]:
    """Proposals with what would become of each today. Ten queries, however many."""
    newest = {revision.proposal_id: revision for revision in newest_revisions(proposals)}
    undecided = [newest[each.pk] for each in proposals if each.is_undecided]
    verdicts = evaluation.evaluate_revisions(undecided) if undecided else {}
    return tuple(
        ListedProposal(each, newest[each.pk], verdicts.get(newest[each.pk].pk))
        for each in proposals
    )


def newest_revisions(proposals: Sequence[Proposal]) -> list[ProposalRevision]:
    """The newest revision of each proposal. One query."""
    known = {proposal.pk: proposal for proposal in proposals}
    found = list(
        ProposalRevision.objects.filter(proposal__in=known, number=F("proposal__revision"))
    )
    for revision in found:
        revision.proposal = known[revision.proposal_id]
    return found


def count_by_state(asked: QueueFilters) -> Mapping[str, int]:
    """How many there are in each state, whichever state is asked for. One query."""
    every = state_counts(Proposal.objects.filter(**asked.facts))
    undecided = sum(every[state] for state in UNDECIDED)
    return {UNDECIDED_WORD: undecided, **every, ALL: sum(every.values())}


def state_counts(found: QuerySet[Proposal]) -> dict[str, int]:
    """How many of some proposals there are in each state. One query."""
    grouped = found.order_by().values("state").annotate(count=Count("pk"))
    counted = {row["state"]: row["count"] for row in grouped}
    return {str(state): counted.get(str(state), 0) for state in ProposalState}


def top_namespaces(asked: QueueFilters) -> list[tuple[str, int]]:
    """The namespaces that most proposals of a list are in, whichever is asked for. One query."""
    found = _in_state(Proposal.objects.filter(**replace(asked, namespace="").facts), asked.state)
    counted = found.order_by().values("namespace__name").annotate(count=Count("pk"))
    most = counted.order_by("-count", "namespace__name")[:MAX_NAMED]
    return [(row["namespace__name"], row["count"]) for row in most]


def count_undecided(namespace: Namespace) -> int:
    """How many proposals of a namespace nobody has decided on. One query."""
    return Proposal.objects.undecided().filter(namespace=namespace).count()


def proposal_detail(number: int) -> ProposalDetail:
    """One proposal. Raises `Refused` (PROPOSAL_UNKNOWN). Four queries, more to judge it."""
    proposal = timeline.find_proposal(number)
    revisions = tuple(ProposalRevision.objects.filter(proposal=proposal).order_by("number"))
    for revision in revisions:
        revision.proposal = proposal
    said = Turn.objects.filter(proposal=proposal).select_related("author").order_by("sequence")
    curators = Membership.objects.filter(
        namespace=proposal.namespace_id, role__in=CURATORS, user__is_active=True
    )
    names = curators.order_by("user__username").values_list("user__username", flat=True)
    verdict = evaluation.evaluate_revision(revisions[-1]) if proposal.is_undecided else None
    return ProposalDetail(proposal, revisions, tuple(said), tuple(names[:MAX_NAMED]), verdict)


def sources_of(revision: ProposalRevision) -> list[str]:
    """The URLs that vouch for a revision."""
    found: list[str] = json.loads(revision.sources)
    return found


def your_work(user: User) -> YourWork:
    """What concerns somebody. Seven queries."""
    own = Proposal.objects.filter(submitter=user).as_listed()
    roles = Membership.objects.filter(user=user).select_related("namespace")
    reviewable = Proposal.objects.filter(state=ProposalState.OPEN)
    if not user.is_staff:
        curated = roles.filter(role__in=CURATORS).values("namespace")
        reviewable = reviewable.filter(namespace__in=curated)
    waiting = reviewable.select_related("namespace", "submitter").oldest_first()
    return YourWork(
        drafts=tuple(SavedDraft.objects.filter(owner=user).order_by("-changed")[:MAX_NAMED]),
        waiting_for_me=tuple(
            own.filter(state=ProposalState.CHANGES_ASKED).order_by("pk")[:MAX_NAMED]
        ),
        mine=tuple(own.filter(state=ProposalState.OPEN).order_by("pk")[:MAX_NAMED]),
        decided=tuple(own.exclude(state__in=UNDECIDED).order_by("-changed")[:MAX_NAMED]),
        to_review=tuple(waiting[:MAX_NAMED]),
        to_review_count=reviewable.count(),
        roles=tuple(roles.order_by("namespace__name")[:PAGE]),
    )


def published_reference(number: int) -> str:
    """The exact reference of what a proposal became; empty where it is not accepted."""
    found = Proposal.objects.filter(pk=number).as_listed().first()
    return found.version.exact if found and found.version else ""
