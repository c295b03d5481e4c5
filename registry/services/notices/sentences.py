"""Words for notices: one sentence for each, the reason that was given, and where to read on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse

from registry.domain.bump_meanings import MEANINGS
from registry.domain.notices import NoticeKind
from registry.domain.version_number import Bump
from registry.models import Event, Notice, Role
from registry.services.events import event_verbs
from registry.services.events.event_paths import event_path
from registry.services.notices import tag_events


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words. `reason` is what somebody wrote, in one line; often empty."""

    notice: Notice
    sentence: str
    reason: str
    path: str


@dataclass(frozen=True, slots=True)
class _Told:
    """An event with its detail, and the event before it if that explains it."""

    notice: Notice
    before: Event | None

    @property
    def event(self) -> Event:
        return self.notice.event

    @property
    def detail(self) -> Mapping[str, Any]:
        detail: dict[str, Any] = json.loads(self.event.detail)
        return detail

    @property
    def actor(self) -> str:
        return self.event.actor.username


def notice_texts(notices: Sequence[Notice]) -> list[NoticeText]:
    """Return notices in words; their events and actors are loaded. At most one query."""
    deprecations = [
        notice.event_id - 1 for notice in notices if notice.event.action == tag_events.DEPRECATED
    ]
    before = Event.objects.in_bulk(deprecations) if deprecations else {}
    return [_text(_Told(notice, before.get(notice.event_id - 1))) for notice in notices]


def _text(told: _Told) -> NoticeText:
    write = SENTENCES.get(told.event.action, _plain)
    sentence = f"{write(told)}{_more_events(told.notice)}"
    return NoticeText(told.notice, sentence, str(told.detail.get("reason", "")), _path(told))


def _path(told: _Told) -> str:
    event = told.event
    if told.notice.more_events:
        filters = {"namespace": event.namespace, "after": str(event.number - 1)}
        return reverse("events", query=filters)
    if event.action == "namespace.factor_required":
        return reverse("mfa_index")
    if event.action == "account.reset_started":
        return reverse("stop-reset")
    if event.action.startswith("account.identity_") and settings.IDENTITY_PROVIDER:
        return reverse("identities")
    if event.action.startswith("token."):  # for an owner: who can act in the namespace
        namespace = told.notice.namespace
        return reverse("manage-namespace", args=[namespace]) if namespace else reverse("tokens")
    if event.action.startswith("webhook."):
        return reverse("webhooks", args=[event.subject])
    if event.action == "change.requested":
        return reverse("namespace", args=[event.namespace])
    return event_path(event) or reverse("your-work")


def _more_events(notice: Notice) -> str:
    return f" And {notice.more_events} more of the same." if notice.more_events else ""


def _plain(told: _Told) -> str:
    return f"{told.actor} {event_verbs.verb(told.event.action)} {told.event.subject}."


def _published(told: _Told) -> str:
    bump = Bump(told.detail["bump"]) if told.detail.get("bump") in list(Bump) else None
    meaning = MEANINGS[bump] if bump else ""
    words = {None: "", Bump.FIRST: ", its first version"}.get(bump, f" ({bump}: {meaning})")
    sentence = f"{told.actor} published {told.event.subject}{words}."
    return f"{sentence}{_own_tags(told.notice, 'is outdated', 'are outdated')}"


def _yanked(told: _Told) -> str:
    own = _own_tags(told.notice, "is made from it", "are made from it")
    return f"{told.actor} yanked {told.event.subject}.{own}"


def _own_tags(notice: Notice, one: str, several: str) -> str:
    """Return a sentence about the account's tags that an event concerns; or nothing."""
    if notice.kind != NoticeKind.INHERITED or not notice.via:
        return ""
    if not notice.more_tags:
        return f" Your tag {notice.via} {one}."
    return f" Your tags {notice.via} and {notice.more_tags} more {several}."


def _deprecated(told: _Told) -> str:
    event = told.event
    if new := tag_events.new_name(told.before, event):
        return f"{told.actor} renamed {event.subject} to {new}."
    successor = told.detail.get("successor")
    instead = f" Use {successor} instead." if successor else ""
    return f"{told.actor} deprecated {event.subject}.{instead}"


STEPS = {  # of a proposal: who does it, and to what
    "proposal.submitted": "submitted {0}",
    "proposal.revised": "revised {0}",
    "proposal.commented": "commented on {0}",
    "proposal.changes_asked": "requested changes to {0}",
    "proposal.approved": "approved {0}, which needs a second reviewer",
    "proposal.accepted": "accepted {0}",
    "proposal.rejected": "rejected {0}",
    "proposal.withdrawn": "withdrew {0}",
}
UNDECIDED = ("proposal.submitted", "proposal.revised", "proposal.approved")


def _proposal(told: _Told) -> str:
    event, is_own = told.event, told.notice.kind == NoticeKind.PROPOSAL
    name = f"{'your ' if is_own else ''}proposal {told.detail['proposal']} for {event.subject}"
    version = told.detail.get("version")
    result = f": it is {version}" if version else ""
    waits = " It waits for your review." if event.action in UNDECIDED and not is_own else ""
    return f"{told.actor} {STEPS[event.action].format(name)}{result}.{waits}"


def _request(told: _Told) -> str:
    name = told.event.subject
    match told.event.action:
        case "request.submitted":
            return f"{told.actor} requested the namespace {name}. It waits for your decision."
        case "request.commented":
            whose = "your" if told.notice.kind == NoticeKind.PROPOSAL else "the"
            return f"{told.actor} commented on {whose} request for the namespace {name}."
        case "request.accepted":
            return f"{told.actor} accepted your request: you are an owner of {name}."
        case _:
            return f"{told.actor} rejected your request for the namespace {name}."


def _granted(told: _Told) -> str:
    role = Role(told.detail["role"]).with_article
    return f"{told.actor} made {_person(told)} {role} of {told.event.subject}."


def _revoked(told: _Told) -> str:
    return f"{told.actor} removed {_person(told)} from {told.event.subject}."


def _person(told: _Told) -> str:
    name = told.detail.get("user")
    return "you" if name == told.notice.user.username else str(name)


def _account(told: _Told) -> str:
    verb = event_verbs.verb(told.event.action)
    return f"{told.actor} {verb.replace('the account', 'your account')}."


def _recovered(told: _Told) -> str:
    way = "your recovery key" if told.detail.get("by") == "recovery key" else "the code of a reset"
    return f"Somebody set a new password of your account with {way}. Sessions have ended."


def _reset_begun(told: _Told) -> str:
    moment = str(told.detail.get("valid_from", ""))[:16].replace("T", " ")
    return (
        f"{told.actor} began a reset of your account: from {moment} UTC on, a code opens it "
        "without your password and second factor. Stop it if you did not ask for it."
    )


def _token(told: _Told) -> str:
    verb = event_verbs.verb(told.event.action).partition(" ")[0]
    namespace = told.notice.namespace
    if namespace:  # an owner's, who does not see the tokens of others
        owner = str(told.detail.get("owner"))
        of_owner = "" if owner == told.actor else f" of {owner}"
        return f"{told.actor} {verb} a token{of_owner} for {namespace}."
    return f"{told.actor} {verb} your token ttr_{told.event.subject}_…."


def _policy(told: _Told) -> str:
    return f"{told.actor} set the policy of {told.event.subject} to {told.detail.get('after')}."


def _pending(told: _Told) -> str:
    person = told.detail.get("user")
    what = f"{person} as {told.detail.get('after')}" if person else f"{told.detail.get('after')}"
    return f"{told.actor} requested a change of {told.event.subject}: {what}. It waits for you."


def _built_on(told: _Told) -> str:
    return (
        f"{told.detail.get('by')} is the first tag elsewhere that builds on {told.event.subject}. "
        f"From {told.detail.get('required_from')} on, its owners need a second factor to act in it."
    )


def _understaffed(told: _Told) -> str:
    return f"{told.event.subject} has too few curators for four-eyes: nobody can confirm changes."


def _given_up(told: _Told) -> str:
    number, name = told.detail.get("webhook"), told.event.subject
    return f"Webhook {number} of {name} has failed for days, so it gets no more events."


SENTENCES: Mapping[str, Callable[[_Told], str]] = {
    "version.published": _published,
    "version.yanked": _yanked,
    "tag.deprecated": _deprecated,
    **dict.fromkeys(STEPS, _proposal),
    **dict.fromkeys(
        ("request.submitted", "request.commented", "request.accepted", "request.rejected"), _request
    ),
    "member.granted": _granted,
    "member.revoked": _revoked,
    **dict.fromkeys(
        (
            *("account.changed", "account.password_set"),
            *("account.factor_added", "account.factor_removed"),
            *("account.identity_connected", "account.identity_removed"),
            *("account.recovery_key_issued", "account.reset_stopped"),
        ),
        _account,
    ),
    "account.recovered": _recovered,
    "account.reset_started": _reset_begun,
    **dict.fromkeys(("token.issued", "token.revoked"), _token),
    "namespace.policy_set": _policy,
    "change.requested": _pending,
    "namespace.factor_required": _built_on,
    "namespace.understaffed": _understaffed,
    "webhook.disabled": _given_up,
}
