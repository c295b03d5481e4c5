"""Proposals and requests: for those who made them, and for those whose decision they wait for."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from registry.domain.notices import NoticeKind
from registry.models import Event, NamespaceRequest, Needs, Proposal, RequestComment, Turn
from registry.models.remarks import Remark
from registry.services.core.permission_rules import CURATORS
from registry.services.notices.addressee import Addressee, members_with, staff

# After these, somebody other than the actor can decide.
SUBMITTED, APPROVED = ("proposal.submitted", "proposal.revised"), "proposal.approved"
WAITING = (
    *(*SUBMITTED, APPROVED),
    *("change.requested", "namespace.understaffed"),
)
COMMENTED = ("proposal.commented", "request.commented")
REQUESTED = "request.submitted"


def reviewers(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield curators for what waits in their namespaces, and staff where there is no curator.

    Staff also decides requests for namespaces.
    """
    waiting = _without_own_approvals([event for event in events if event.action in WAITING])
    requests = [event for event in events if event.action == REQUESTED]
    if not waiting and not requests:
        return
    curators = members_with(CURATORS, {event.namespace for event in waiting})
    everywhere = staff()
    for event in waiting:
        for user in curators.get(event.namespace, ()):
            yield Addressee(event, user, NoticeKind.REVIEW, Needs.CURATOR, event.namespace)
    for event in (*requests, *(each for each in waiting if not curators.get(each.namespace))):
        for user in everywhere:
            yield Addressee(event, user, NoticeKind.REVIEW, Needs.STAFF)


def _without_own_approvals(waiting: Sequence[Event]) -> list[Event]:
    """Leave out the approvals that came with a submission, which waits already.

    At most one query.
    """
    numbers = [event.number - 1 for event in waiting if event.action == APPROVED]
    before = Event.objects.in_bulk(numbers) if numbers else {}
    return [event for event in waiting if not _came_with(event, before.get(event.number - 1))]


def _came_with(event: Event, before: Event | None) -> bool:
    if event.action != APPROVED or before is None or before.action not in SUBMITTED:
        return False
    write = (event.subject, event.actor_id, event.request)
    return write == (before.subject, before.actor_id, before.request)


def submitters(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield those whose proposals or requests others have commented, changed or decided."""
    for resource, model, column in (
        ("proposal", Proposal, "submitter"),
        ("request", NamespaceRequest, "requester"),
    ):
        about = _numbers(events, resource)
        rows = model._default_manager.filter(pk__in=about.values()) if about else ()
        owners = dict(rows.values_list("pk", column)) if rows else {}
        for event, number in about.items():
            if number in owners:
                yield Addressee(event, owners[number], NoticeKind.PROPOSAL)


def discussants(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield those curators and staff who took part in what is commented on.

    Curators of a namespace have no say in requests for it.
    """
    commented = [event for event in events if event.action in COMMENTED]
    if not commented:
        return
    proposals, requests = (_numbers(commented, resource) for resource in ("proposal", "request"))
    authors = {
        **_authors(proposals, Turn, "proposal"),
        **_authors(requests, RequestComment, "request"),
    }
    curators = members_with(CURATORS, {event.namespace for event in proposals})
    everywhere = staff()
    for event in proposals:
        for user in authors[event] & curators.get(event.namespace, set()):
            yield Addressee(event, user, NoticeKind.REVIEW, Needs.CURATOR, event.namespace)
    for event in commented:
        for user in authors[event] & everywhere:
            yield Addressee(event, user, NoticeKind.REVIEW, Needs.STAFF)


def _authors(
    about: Mapping[Event, int], model: type[Remark], resource: str
) -> Mapping[Event, set[int]]:
    """Return who has written about the proposal or request of each event. At most one query."""
    if not about:
        return {}
    rows = model._default_manager.filter(**{f"{resource}__in": set(about.values())})
    authors: dict[int, set[int]] = defaultdict(set)
    for number, author in rows.order_by().values_list(resource, "author").distinct():
        authors[number].add(author)
    return {event: authors[number] for event, number in about.items()}


def _numbers(events: Sequence[Event], resource: str) -> Mapping[Event, int]:
    """Return the number of the proposal or request that each event is about."""
    return {
        event: json.loads(event.detail)[resource]
        for event in events
        if event.action.partition(".")[0] == resource
    }
