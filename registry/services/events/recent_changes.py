"""The last changes of versions and tags, one entry for all that an account did on a day.

Loading the catalogue publishes thousands of versions: that is one entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max

from registry.models import Event
from registry.services.event_log.appending import last_event_number

ACTIONS = (
    *("version.published", "version.yanked", "version.unyanked"),
    *("tag.deprecated", "tag.undeprecated"),
)
MAX_EVENTS = 20_000  # that are grouped, the last ones; loading the catalogue takes 9,000
MAX_GROUPS = 1_000  # events of the same action, account and time; the load writes 17


@dataclass(frozen=True, slots=True)
class RecentChange:
    """The events of one action by an account on one day: their number, and the last subject."""

    action: str
    username: str
    has_page: bool  # the account is open
    time: datetime
    count: int
    subject: str


def recent_changes(limit: int) -> tuple[RecentChange, ...]:
    """Return the last changes, newest first. Three queries."""
    start = last_event_number() - MAX_EVENTS
    events = Event.objects.filter(number__gt=start, action__in=ACTIONS).order_by()
    rows = events.values_list("action", "actor__username", "actor__is_active", "created")
    groups = rows.annotate(events=Count("pk"), newest=Max("number")).order_by("-newest")
    newest: dict[tuple[str, str, bool, date], tuple[int, datetime]] = {}
    counts: dict[tuple[str, str, bool, date], int] = {}
    for action, username, is_active, created, count, number in groups[:MAX_GROUPS]:
        key = (action, username, is_active, created.date())
        newest.setdefault(key, (number, created))
        counts[key] = counts.get(key, 0) + count
    chosen = list(newest)[:limit]
    numbers = [newest[key][0] for key in chosen]
    subjects = dict(Event.objects.filter(pk__in=numbers).values_list("pk", "subject"))
    return tuple(
        RecentChange(*key[:3], newest[key][1], counts[key], subjects[newest[key][0]])
        for key in chosen
    )
