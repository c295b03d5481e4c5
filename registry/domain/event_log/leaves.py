"""The leaves of the log: what of each event can never change unnoticed.

A leaf has no actor, reason or message, nor a hash of one, so that a redaction changes no leaf. Its
bytes are fixed for ever: members of an action may be added for a new action only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from registry.domain.document import Json, canonical

PRIVATE = "private"  # stands for the actions of accounts and tokens
TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """The columns of an event that its leaf depends on."""

    number: int
    created: datetime
    action: str
    subject: str
    namespace: str
    detail: Mapping[str, Any]


Members = Callable[[LoggedEvent], Mapping[str, Json]]


def _nothing(_event: LoggedEvent) -> Mapping[str, Json]:
    return {}


def _version(event: LoggedEvent) -> Mapping[str, Json]:
    tag, _, number = event.subject.rpartition("@")
    return {"tag": tag, "version": number}


def _digest(event: LoggedEvent) -> Mapping[str, Json]:
    return {**_version(event), "digest": event.detail.get("digest")}


def _kind(event: LoggedEvent) -> Mapping[str, Json]:
    return {
        "kind": event.subject,
        "revision": event.detail.get("revision"),
        "digest": event.detail.get("digest"),
    }


def _deprecation(event: LoggedEvent) -> Mapping[str, Json]:
    return {"tag": event.subject, "successor": event.detail.get("successor")}


def _family(event: LoggedEvent) -> Mapping[str, Json]:
    return {"tag": event.subject, "family": event.detail.get("after", {}).get("family")}


def _alias(event: LoggedEvent) -> Mapping[str, Json]:
    return {"alias": event.subject, "to": event.detail.get("to")}


def _tag(event: LoggedEvent) -> Mapping[str, Json]:
    return {"tag": event.subject}


def _namespace(event: LoggedEvent) -> Mapping[str, Json]:
    return {"namespace": event.namespace}


def _fork(event: LoggedEvent) -> Mapping[str, Json]:
    return {name: event.detail.get(name) for name in ("origin", "was", "size", "root")}


def _key(event: LoggedEvent) -> Mapping[str, Json]:
    return {"key": event.detail.get("key")}


# The members of each action's leaf besides number, time and action. None: not even the action.
MEMBERS: Mapping[str, Members | None] = {
    **dict.fromkeys(
        (
            *("account.changed", "account.closed", "account.deleted", "account.factor_added"),
            *("account.factor_removed", "account.made", "account.password_set"),
            *("account.identity_connected", "account.identity_removed"),
            *("account.recovered", "account.recovery_key_issued"),
            *("account.reset_started", "account.reset_stopped"),
            *("token.issued", "token.revoked"),
        )
    ),
    "alias.pointed": _alias,
    **dict.fromkeys(("change.discarded", "change.requested"), _namespace),
    **dict.fromkeys(("kind.redacted", "kind.revised"), _kind),
    "lints.replaced": _nothing,
    "log.forked": _fork,
    "log.key_rotated": _key,
    **dict.fromkeys(
        (
            *("member.granted", "member.revoked"),
            *("namespace.described", "namespace.made", "namespace.policy_set"),
            "namespace.readme_written",
            *("namespace.factor_required", "namespace.staff_confirmed", "namespace.understaffed"),
            *("publisher.registered", "publisher.revoked", "publisher.used"),
            *("webhook.added", "webhook.disabled", "webhook.enabled", "webhook.removed"),
            "request.commented",
            *("request.accepted", "request.rejected", "request.submitted", "request.withdrawn"),
        ),
        _namespace,
    ),
    **dict.fromkeys(
        (
            *("proposal.accepted", "proposal.approved", "proposal.changes_asked"),
            *("proposal.commented", "proposal.rejected", "proposal.revised"),
            *("proposal.submitted", "proposal.withdrawn"),
        ),
        _tag,
    ),
    **dict.fromkeys(("tag.deprecated", "tag.undeprecated"), _deprecation),
    "tag.family_set": _family,
    "text.redacted": _nothing,
    **dict.fromkeys(("version.published", "version.redacted"), _digest),
    **dict.fromkeys(("version.unyanked", "version.yanked"), _version),
}


def leaf(event: LoggedEvent, *, is_backfilled: bool = False) -> bytes:
    """Return the leaf of an event, as canonical JSON.

    `is_backfilled` marks an event of release 0.1, which had no tree. Raises `KeyError` for an
    action that `MEMBERS` does not list.
    """
    if event.action not in MEMBERS:
        raise KeyError(f"MEMBERS lists no action {event.action}")
    members = MEMBERS[event.action]
    leaf: dict[str, Json] = {
        "event": event.number,
        "time": event.created.astimezone(UTC).strftime(TIME),
        "action": event.action if members else PRIVATE,
        **(members(event) if members else {}),
    }
    if is_backfilled:
        leaf["backfilled"] = True
    return canonical(leaf)
