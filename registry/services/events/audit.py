"""The log as auditors read it: what each event changed, from what into what, and where it stands.

Of accounts the log names the columns that changed, and never what stood in them; only rights, which
are ticked or not, are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Model, QuerySet

from registry.domain.reference import Reference
from registry.models import Event, Kind, Name, Namespace, Proposal, Tag, Token, User, Version

ACTIONS = (  # every action that leaves an event, by what it is about
    *("account.changed", "account.closed", "account.deleted", "account.factor_added"),
    *("account.factor_removed", "account.made", "account.password_set"),
    "alias.pointed",
    "kind.revised",
    *("member.granted", "member.revoked"),
    *("namespace.described", "namespace.made", "namespace.policy_set"),
    *("proposal.accepted", "proposal.changes_asked", "proposal.commented", "proposal.rejected"),
    *("proposal.revised", "proposal.submitted", "proposal.withdrawn"),
    *("tag.deprecated", "tag.undeprecated"),
    "text.redacted",
    *("token.issued", "token.revoked"),
    *("version.published", "version.unyanked", "version.yanked"),
)
UNKEPT = "not kept in the log"
# Where an event holds what changed: the name of it, the key of what it was, the key of what it is.
SIDES: Mapping[str, tuple[str, str, str]] = {
    "alias": ("points at", "was", "to"),
    "kind": ("revision", "before", "revision"),
    "member": ("role", "before", "role"),
    "namespace": ("policy", "before", "after"),
    "proposal": ("state", "before", "after"),
    "version": ("status", "before", "after"),
}


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """One thing that an event changed; None where there was, or is, none."""

    name: str
    before: Any
    after: Any


def events() -> QuerySet[Event]:
    """All, with who acted."""
    return Event.objects.select_related("actor")


def since(found: QuerySet[Event], day: date) -> QuerySet[Event]:
    """Those of a day, in UTC, and later."""
    return found.filter(created__gte=datetime.combine(day, time.min, tzinfo=UTC))


def until(found: QuerySet[Event], day: date) -> QuerySet[Event]:
    """Those of a day, in UTC, and earlier."""
    return found.filter(created__lte=datetime.combine(day, time.max, tzinfo=UTC))


def changed_values(event: Event) -> list[ChangedValue]:
    """What an event changed, from what into what; empty where it only made or said something."""
    return list(_changed(event.action, json.loads(event.detail)))


def _changed(action: str, detail: Mapping[str, Any]) -> Iterator[ChangedValue]:
    before, after = detail.get("before"), detail.get("after")
    if action == "account.changed":
        for column in detail["changed"]:
            held = column in detail
            yield ChangedValue(
                column,
                not detail[column] if held else UNKEPT,
                detail[column] if held else UNKEPT,
            )
    elif isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield ChangedValue(name, before.get(name), after.get(name))
    elif side := SIDES.get(action.partition(".")[0]):
        name, was, becomes = side
        if was in detail:  # older releases kept less
            yield ChangedValue(name, detail[was], detail.get(becomes))


def other_details(event: Event) -> list[tuple[str, str]]:
    """What else an event says, names and texts, less what `changed` shows."""
    detail: dict[str, Any] = json.loads(event.detail)
    shown = {"before", "after", "changed"}
    if changes := changed_values(event):
        shown |= {change.name for change in changes} | {"was", "to"}
    return [(name, _text(value)) for name, value in sorted(detail.items()) if name not in shown]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def subject_row(event: Event) -> Model | None:
    """The row that an event is about, if it is still there. At most one query."""
    about, text = event.action.partition(".")[0], event.subject
    match about:
        case "proposal":
            return _proposal(event)
        case "version":
            return _version(text)
        case "tag":
            return Tag.objects.filter(text=text).first()
        case "alias":
            return Name.objects.filter(text=text, is_alias=True).first()
        case "kind":
            return Kind.objects.filter(name=text).first()
        case "namespace" | "member":
            return Namespace.objects.filter(name=text).first()
        case "account":
            return User.objects.filter(username=text).first()
        case "token":
            return Token.objects.filter(prefix=text).defer("digest").first()
        case _:
            return None


def _proposal(event: Event) -> Model | None:
    return Proposal.objects.filter(pk=json.loads(event.detail)["proposal"]).first()


def _version(text: str) -> Version | None:
    reference = Reference.parse(text)
    major, minor, patch = reference.selector.numbers
    found = Version.objects.filter(tag__text=reference.text, major=major, minor=minor, patch=patch)
    return found.only("pk").first()
