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
class _News:
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
    return [_text(_News(notice, before.get(notice.event_id - 1))) for notice in notices]


def _text(news: _News) -> NoticeText:
    write = SENTENCES.get(news.event.action, _plain)
    sentence = f"{write(news)}{_more_events(news.notice)}"
    return NoticeText(news.notice, sentence, str(news.detail.get("reason", "")), _path(news))


def _path(news: _News) -> str:
    event = news.event
    if news.notice.more_events:
        filters = {"namespace": event.namespace, "after": str(event.number - 1)}
        return reverse("events", query=filters)
    if event.action == "namespace.factor_required":
        return reverse("mfa_index")
    if event.action == "account.reset_started":
        return reverse("stop-reset")
    if event.action.startswith("account.identity_") and settings.IDENTITY_PROVIDER:
        return reverse("identities")
    if event.action.startswith("token."):  # for an owner: who can act in the namespace
        namespace = news.notice.namespace
        return reverse("manage-namespace", args=[namespace]) if namespace else reverse("tokens")
    if event.action.startswith("webhook."):
        return reverse("webhooks", args=[event.subject])
    if event.action == "change.requested":
        return reverse("namespace", args=[event.namespace])
    return event_path(event) or reverse("your-work")


def _more_events(notice: Notice) -> str:
    return f" And {notice.more_events} more of the same." if notice.more_events else ""


def _plain(news: _News) -> str:
    return f"{news.actor} {event_verbs.verb(news.event.action)} {news.event.subject}."


def _published(news: _News) -> str:
    bump = Bump(news.detail["bump"]) if news.detail.get("bump") in list(Bump) else None
    meaning = MEANINGS[bump] if bump else ""
    words = {None: "", Bump.FIRST: ", its first version"}.get(bump, f" ({bump}: {meaning})")
    sentence = f"{news.actor} published {news.event.subject}{words}."
    return f"{sentence}{_own_tags(news.notice, 'is outdated', 'are outdated')}"


def _yanked(news: _News) -> str:
    own = _own_tags(news.notice, "is made from it", "are made from it")
    return f"{news.actor} yanked {news.event.subject}.{own}"


def _own_tags(notice: Notice, one: str, several: str) -> str:
    """Return a sentence about the account's tags that an event concerns; or nothing."""
    if notice.kind != NoticeKind.INHERITED or not notice.via:
        return ""
    if not notice.more_tags:
        return f" Your tag {notice.via} {one}."
    return f" Your tags {notice.via} and {notice.more_tags} more {several}."


def _deprecated(news: _News) -> str:
    event = news.event
    if new := tag_events.new_name(news.before, event):
        return f"{news.actor} renamed {event.subject} to {new}."
    successor = news.detail.get("successor")
    instead = f" Use {successor} instead." if successor else ""
    return f"{news.actor} deprecated {event.subject}.{instead}"


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


def _proposal(news: _News) -> str:
    event, is_own = news.event, news.notice.kind == NoticeKind.PROPOSAL
    name = f"{'your ' if is_own else ''}proposal {news.detail['proposal']} for {event.subject}"
    version = news.detail.get("version")
    result = f": it is {version}" if version else ""
    waits = " It waits for your review." if event.action in UNDECIDED and not is_own else ""
    return f"{news.actor} {STEPS[event.action].format(name)}{result}.{waits}"


def _request(news: _News) -> str:
    name = news.event.subject
    match news.event.action:
        case "request.submitted":
            return f"{news.actor} requested the namespace {name}. It waits for your decision."
        case "request.commented":
            whose = "your" if news.notice.kind == NoticeKind.PROPOSAL else "the"
            return f"{news.actor} commented on {whose} request for the namespace {name}."
        case "request.accepted":
            return f"{news.actor} accepted your request: you are an owner of {name}."
        case _:
            return f"{news.actor} rejected your request for the namespace {name}."


def _granted(news: _News) -> str:
    role = Role(news.detail["role"]).with_article
    return f"{news.actor} made {_person(news)} {role} of {news.event.subject}."


def _revoked(news: _News) -> str:
    return f"{news.actor} removed {_person(news)} from {news.event.subject}."


def _person(news: _News) -> str:
    name = news.detail.get("user")
    return "you" if name == news.notice.user.username else str(name)


def _account(news: _News) -> str:
    verb = event_verbs.verb(news.event.action)
    return f"{news.actor} {verb.replace('the account', 'your account')}."


def _recovered(news: _News) -> str:
    way = "your recovery key" if news.detail.get("by") == "recovery key" else "the code of a reset"
    return f"Somebody set a new password of your account with {way}. Sessions have ended."


def _reset_begun(news: _News) -> str:
    moment = str(news.detail.get("valid_from", ""))[:16].replace("T", " ")
    return (
        f"{news.actor} began a reset of your account: from {moment} UTC on, a code opens it "
        "without your password and second factor. Stop it if you did not ask for it."
    )


def _token(news: _News) -> str:
    verb = event_verbs.verb(news.event.action).partition(" ")[0]
    namespace = news.notice.namespace
    if namespace:  # an owner's, who does not see the tokens of others
        owner = str(news.detail.get("owner"))
        of_owner = "" if owner == news.actor else f" of {owner}"
        return f"{news.actor} {verb} a token{of_owner} for {namespace}."
    return f"{news.actor} {verb} your token ttr_{news.event.subject}_…."


def _policy(news: _News) -> str:
    return f"{news.actor} set the policy of {news.event.subject} to {news.detail.get('after')}."


def _pending(news: _News) -> str:
    person = news.detail.get("user")
    what = f"{person} as {news.detail.get('after')}" if person else f"{news.detail.get('after')}"
    return f"{news.actor} requested a change of {news.event.subject}: {what}. It waits for you."


def _built_on(news: _News) -> str:
    return (
        f"{news.detail.get('by')} is the first tag elsewhere that builds on {news.event.subject}. "
        f"From {news.detail.get('required_from')} on, its owners need a second factor to act in it."
    )


def _understaffed(news: _News) -> str:
    return f"{news.event.subject} has too few curators for four-eyes: nobody can confirm changes."


def _given_up(news: _News) -> str:
    number, name = news.detail.get("webhook"), news.event.subject
    return f"Webhook {number} of {name} has failed for days, so it gets no more events."


SENTENCES: Mapping[str, Callable[[_News], str]] = {
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
