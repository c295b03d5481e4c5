"""Makes notices of new events: each account hears of an event once, and not of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from registry.domain.notices import NoticeKind
from registry.models import Event, Notice, User
from registry.services.event_log import reading
from registry.services.event_log.reading import Write
from registry.services.notices import mail_queue, review, security
from registry.services.notices.addressee import Addressee
from registry.services.notices.inheritors import inheritors
from registry.services.notices.watchers import watchers

NAME = "news"  # of the cursor
KINDS = list(NoticeKind)
# Done in the name of an account whose owner may not be there.
OWN_DEEDS = ("webhook.disabled", "account.recovered", "namespace.factor_required")

Source = Callable[[Sequence[Event]], Iterator[Addressee]]
SOURCES: Sequence[Source] = (
    security.account_owners,
    security.owners,
    review.reviewers,
    review.discussants,
    review.submitters,
    inheritors,
    watchers,
)


def has_unread_events() -> bool:
    """Return whether there are events of which no notices are made yet. Two queries."""
    return reading.has_unread(NAME)


def read_events() -> bool:
    """Make notices of the next events; return whether there may be more."""
    return reading.read_on(NAME, _prepare)


def _prepare(events: Sequence[Event]) -> Write:
    notices = list(_merged(_concerned(events)))
    choices = mail_queue.choices_of({notice.user_id for notice in notices})
    return partial(_store, notices, choices)


def _store(notices: Sequence[Notice], choices: mail_queue.Choices) -> None:
    mail_queue.queue(Notice.objects.bulk_create(notices), choices)


def _concerned(events: Sequence[Event]) -> list[Addressee]:
    """Return the accounts that hear of each event, with the first reason of each."""
    chosen: dict[tuple[int, int], Addressee] = {}
    for source in SOURCES:
        for addressee in source(events):
            if _is_own_deed(addressee):
                continue
            key = (addressee.user, addressee.event.number)
            other = chosen.get(key)
            if other is None or KINDS.index(addressee.kind) < KINDS.index(other.kind):
                chosen[key] = addressee
    accounts = User.objects.filter(pk__in={user for user, _ in chosen}, is_active=True)
    is_open = set(accounts.values_list("pk", flat=True)) if chosen else set()
    return [chosen[key] for key in sorted(chosen) if key[0] in is_open]


def _is_own_deed(addressee: Addressee) -> bool:
    event = addressee.event
    return event.actor_id == addressee.user and event.action not in OWN_DEEDS


# Decision 170: loading the catalogue publishes thousands of versions, of which one notice tells.
def _merged(addressees: Sequence[Addressee]) -> Iterable[Notice]:
    """Return a notice for all alike events: one account, action, actor and write."""
    notices: dict[tuple[object, ...], Notice] = {}
    for addressee in addressees:
        alike = _likeness(addressee)
        if alike in notices:
            notices[alike].more_events += 1
        else:
            notices[alike] = _notice(addressee)
    return notices.values()


def _likeness(addressee: Addressee) -> tuple[object, ...]:
    """Return what is equal for events of one write of which one notice tells."""
    event = addressee.event
    # Commands have no request; what they write together follows each other in a second or so.
    moment = event.request or f"{event.created:%Y-%m-%d %H:%M}"
    is_one = addressee.kind in (NoticeKind.WATCHED, NoticeKind.INHERITED)
    return (
        addressee.user,
        addressee.kind,
        event.action,
        event.namespace,
        event.actor_id,
        moment,
        None if is_one else event.number,
    )


def _notice(addressee: Addressee) -> Notice:
    first, *more = addressee.tags or ("",)
    return Notice(
        user_id=addressee.user,
        event=addressee.event,
        kind=addressee.kind,
        needs=addressee.needs,
        namespace=addressee.namespace,
        via=first,
        more_tags=len(more),
    )
