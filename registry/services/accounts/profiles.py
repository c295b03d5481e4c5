"""Finds what the pages of people show: their roles, and what they published, proposed and reviewed.

All of it is public elsewhere, too. Nothing is shown of closed accounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from typing import Any

from django.db.models import Count, QuerySet

from registry.domain.errors import Code, Refused, echo
from registry.domain.proposal_states import ProposalAction, ProposalState
from registry.models import Membership, Proposal, Turn, User, Version
from registry.models.combined_queries import rows_of_each
from registry.models.versions import DOCUMENT_COLUMNS
from registry.services.core.paging import PAGE, Page, paginate
from registry.services.proposals import listing

MAX_ROWS = 10  # proposals and reviews of a profile; the queue has all proposals
REVIEWS = (
    ProposalAction.ACCEPT,
    ProposalAction.APPROVE,
    ProposalAction.ASK,
    ProposalAction.REJECT,
)
STATES = {str(ProposalState.CHANGES_ASKED): "with changes requested"}  # the others are words


class Outcomes(dict[str, int]):
    """The number of proposals in each state."""

    def __str__(self) -> str:
        """Return those that are not zero, in words: `3 accepted, 1 rejected`."""
        words = [f"{count:,} {STATES.get(state, state)}" for state, count in self.items() if count]
        return ", ".join(words) or "none"


@dataclass(frozen=True, slots=True)
class Profile:
    """The public facts about an open account."""

    user: User
    roles: tuple[Membership, ...]  # by namespace
    versions: Page[Version]  # that it wrote, newest first
    proposals: tuple[Proposal, ...]  # the last ones
    outcomes: Outcomes  # of all its proposals, by state
    reviews: tuple[Turn, ...]  # its last decisions on proposals of others

    @property
    def since(self) -> datetime:
        """Return when the account was created."""
        return self.user.date_joined


@dataclass(frozen=True, slots=True)
class SubmitterRecord:
    """The outcomes of an account's other proposals, which help to review one of them."""

    user: User
    here: Outcomes  # in the namespace of the proposal, by state
    overall: Outcomes


def find_open_account(name: str) -> User:
    """Return the open account with a name; case does not matter, as at sign-in.

    At most two queries. Raises `Refused` (USER_UNKNOWN), for closed accounts as for names that
    nobody has ever had.
    """
    accounts = User.objects.filter(is_active=True) if name.isprintable() else User.objects.none()
    user = accounts.filter(username=name).first()
    user = user or accounts.filter(username__iexact=name).order_by("pk").first()
    if user is None:
        raise Refused(Code.USER_UNKNOWN, f"There is no account {echo(name) or '(empty)'}.")
    return user


def profile(user: User, *, after: Sequence[Any] | None = None, limit: int | None = None) -> Profile:
    """Return the profile of an open account, with a page of versions. Six queries."""
    proposals = Proposal.objects.filter(submitter=user)
    roles = Membership.objects.filter(user=user).select_related("namespace")
    reviews = Turn.objects.filter(author=user, action__in=REVIEWS).exclude(proposal__submitter=user)
    return Profile(
        user,
        tuple(roles.order_by("namespace__name")),  # owners gave each of them: they are few
        list_versions(user, after=after, limit=limit),
        tuple(proposals.as_listed().order_by("-pk")[:MAX_ROWS]),
        Outcomes(listing.state_counts(proposals)),
        tuple(reviews.select_related("proposal").order_by("-pk")[:MAX_ROWS]),
    )


def list_versions(
    user: User, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[Version]:
    """Return a page of the versions that an account wrote, newest first. Two queries.

    Those that it published for others are theirs.
    """
    written: QuerySet[Version] = Version.objects.filter(author=user)
    published = Version.objects.filter(author=None, publisher=user)
    size = (limit or PAGE) + 1  # one more tells whether there is another page
    # Either has an index; a condition on both would sort all that a busy account published.
    queries = [
        (rows.filter(pk__lt=after[0]) if after else rows).order_by("-pk").values_list("pk")[:size]
        for rows in (written, published)
    ]
    heads = rows_of_each(queries)
    keys = [key for (key,) in merge(*(sorted(head, reverse=True) for head in heads), reverse=True)]
    versions = Version.objects.filter(pk__in=keys[:size]).with_withdrawal().order_by("-pk")
    rows = tuple(versions.select_related("tag").defer(*DOCUMENT_COLUMNS))
    return paginate(rows, key=lambda version: [version.pk], limit=limit)


def submitter_record(proposal: Proposal) -> SubmitterRecord:
    """Return the outcomes of all other proposals by the submitter of one. One query."""
    others = Proposal.objects.filter(submitter=proposal.submitter).exclude(pk=proposal.pk)
    counted = others.order_by().values_list("namespace", "state").annotate(count=Count("pk"))
    here, overall = (Outcomes(dict.fromkeys(map(str, ProposalState), 0)) for _ in range(2))
    for namespace, state, count in counted:
        overall[state] += count
        if namespace == proposal.namespace_id:
            here[state] += count
    return SubmitterRecord(proposal.submitter, here, overall)
