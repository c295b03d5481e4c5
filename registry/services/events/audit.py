"""The event log for auditors: the values that an event changed, and the row it refers to.

For accounts, the log has the values of rights, which are true or false, but only the names of
other columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Model, QuerySet

from registry.domain.event_log import leaves
from registry.domain.reference import Reference
from registry.models import (
    Event,
    Kind,
    Name,
    Namespace,
    NamespaceRequest,
    Proposal,
    Tag,
    Token,
    User,
    Version,
)
from registry.models.versions import NUMBERS

ACTIONS = (*leaves.MEMBERS,)  # every event action, by its resource
NOT_LOGGED = "not logged"
# By resource: the name of the changed value, and the keys of the old and the new value.
CHANGED_KEYS: Mapping[str, tuple[str, str, str]] = {
    "alias": ("points at", "was", "to"),
    "change": ("requested value", "before", "after"),
    "kind": ("revision", "before", "revision"),
    "member": ("role", "before", "role"),
    "namespace": ("policy", "before", "after"),
    "proposal": ("state", "before", "after"),
    "request": ("state", "before", "after"),
    "version": ("status", "before", "after"),
}


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """A value before and after an event; None for no value."""

    name: str
    before: Any
    after: Any


def events() -> QuerySet[Event]:
    return Event.objects.select_related("actor")


def since(rows: QuerySet[Event], day: date) -> QuerySet[Event]:
    """Return the events of a day, in UTC, and later."""
    return rows.filter(created__gte=datetime.combine(day, time.min, tzinfo=UTC))


def until(rows: QuerySet[Event], day: date) -> QuerySet[Event]:
    """Return the events of a day, in UTC, and earlier."""
    return rows.filter(created__lte=datetime.combine(day, time.max, tzinfo=UTC))


def changed_values(event: Event) -> list[ChangedValue]:
    """Return the values that an event changed; an empty list if it only created something."""
    return list(_changed(event.action, json.loads(event.detail)))


def _changed(action: str, detail: Mapping[str, Any]) -> Iterator[ChangedValue]:
    before, after = detail.get("before"), detail.get("after")
    if action == "account.changed":
        for column in detail["changed"]:
            is_logged = column in detail
            yield ChangedValue(
                column,
                not detail[column] if is_logged else NOT_LOGGED,
                detail[column] if is_logged else NOT_LOGGED,
            )
    elif isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield ChangedValue(name, before.get(name), after.get(name))
    elif keys := CHANGED_KEYS.get(action.partition(".")[0]):
        name, old_key, new_key = keys
        if old_key in detail:  # older releases logged less
            yield ChangedValue(name, detail[old_key], detail.get(new_key))


def other_details(event: Event) -> list[tuple[str, str]]:
    """Return the names and texts of an event's detail that `changed_values` does not cover."""
    detail: dict[str, Any] = json.loads(event.detail)
    hidden = {"before", "after", "changed"}
    if changes := changed_values(event):
        hidden |= {change.name for change in changes} | {"was", "to"}
    return [(name, _text(value)) for name, value in sorted(detail.items()) if name not in hidden]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def subject_row(event: Event) -> Model | None:
    """Return the row that an event refers to, if it still exists. At most one query."""
    rows = SUBJECTS.get(event.action.partition(".")[0])
    return rows(event).first() if rows else None


def _versions(event: Event) -> QuerySet[Version]:
    reference = Reference.parse(event.subject)
    numbers = dict(zip(NUMBERS, reference.selector.numbers, strict=True))
    return Version.objects.filter(tag__text=reference.text, **numbers).only("pk")


def _stated(model: type[Model], member: str) -> Subject:
    """Look up the row whose primary key the event's detail states."""
    return lambda event: model._default_manager.filter(pk=json.loads(event.detail)[member])


def _named(model: type[Model], column: str, **others: Any) -> Subject:
    """Look up the row that the event's subject names."""
    return lambda event: model._default_manager.filter(**{column: event.subject}, **others)


Subject = Callable[[Event], QuerySet[Any]]
SUBJECTS: Mapping[str, Subject] = {
    "proposal": _stated(Proposal, "proposal"),
    "request": _stated(NamespaceRequest, "request"),
    "version": _versions,
    "tag": _named(Tag, "text"),
    "alias": _named(Name, "text", is_alias=True),
    "kind": _named(Kind, "name"),
    **dict.fromkeys(("namespace", "member", "publisher", "webhook"), _named(Namespace, "name")),
    "account": _named(User, "username"),
    "token": lambda event: Token.objects.filter(prefix=event.subject).defer("digest"),
}
