"""The event log of all public writes, for people; programs read the API's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse

from registry.domain.errors import Code, Fault, Refused, echo
from registry.models import Event
from registry.services.core.paging import Page
from registry.services.events import event_feed
from registry.web.core import error_pages
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion

TEMPLATE = "registry/events.html"
AFTER, BEFORE, NAMESPACE = "after", "before", "namespace"
MAX_DIGITS = 18  # of a number: it fits into 63 bits
MAX_TYPED = 200  # characters of a filter that are kept
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN)

VERBS = {
    "version.published": "published",
    "version.yanked": "yanked",
    "version.unyanked": "took back the yank of",
    "tag.deprecated": "deprecated",
    "tag.undeprecated": "took back the deprecation of",
    "alias.pointed": "pointed the alias",
    "namespace.made": "created the namespace",
    "namespace.described": "described the namespace",
    "namespace.policy_set": "set the policy of",
    "member.granted": "granted a role in",
    "member.revoked": "revoked a role in",
    "kind.revised": "revised the kind",
    "proposal.submitted": "submitted a proposal for",
    "proposal.revised": "revised a proposal for",
    "proposal.commented": "commented on a proposal for",
    "proposal.changes_asked": "requested changes to a proposal for",
    "proposal.accepted": "accepted a proposal for",
    "proposal.rejected": "rejected a proposal for",
    "proposal.withdrawn": "withdrew a proposal for",
}
PAGES = {  # of what each action's subject names
    "version": "tag",
    "tag": "tag",
    "alias": "tag",
    "namespace": "namespace",
    "member": "namespace",
    "kind": "kind",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One event in words; `url` is empty if its subject has no page."""

    event: Event
    did: str
    url: str
    said: str
    at: Moment
    resource: str


@public_page
def events(request: HttpRequest) -> HttpResponse:
    """List events, newest first; from a given number on, oldest first."""
    asked = {name: request.GET.get(name, "").strip() for name in (AFTER, BEFORE, NAMESPACE)}
    typed = {name: text[:MAX_TYPED] for name, text in asked.items() if text}
    try:
        found = _events(typed)
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        near = [
            Suggestion(name, reverse("events", query={**typed, NAMESPACE: name}))
            for name in refusal.suggestions
        ]
        return error_pages.refusal_page(request, refusal, template=TEMPLATE, typed=typed, near=near)
    context = {
        "typed": typed,
        "lines": [_line(event) for event in found.rows],
        "next": _next(typed, found.following),
    }
    return render(request, TEMPLATE, context)


def _events(typed: dict[str, str]) -> Page[Event]:
    namespace = typed.get(NAMESPACE)
    if AFTER in typed:
        return event_feed.list_events(after=_number(typed, AFTER), namespace=namespace)
    before = _number(typed, BEFORE) if BEFORE in typed else None
    return event_feed.latest_events(before=before, namespace=namespace)


def _number(typed: dict[str, str], name: str) -> int:
    text = typed[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        message, expected = f"{name}={echo(text)} is no number of an event", "0, 1, 2 ..."
        fault = Fault("", Code.FILTER_INVALID, message, expected, echo(text))
        raise Refused(Code.FILTER_INVALID, f"{message}: expected {expected}", faults=[fault])
    return int(text)


def _next(typed: dict[str, str], key: Sequence[Any] | None) -> str:
    if key is None:
        return ""
    name = AFTER if AFTER in typed else BEFORE
    return reverse("events", query={**typed, name: str(key[0])})


def _line(event: Event) -> Line:
    detail = event_feed.public_detail(event)
    return Line(
        event,
        VERBS.get(event.action, event.action.replace(".", " ").replace("_", " ")),
        _url(event, detail),
        _summary(event, detail),
        Moment(event.created),
        reverse("api:events", query={AFTER: event.number - 1}),
    )


def _url(event: Event, detail: Any) -> str:
    about = event.action.partition(".")[0]
    if about == "proposal":
        return reverse("proposal", args=[detail["proposal"]])
    try:
        return reverse(PAGES[about], args=[event.subject]) if about in PAGES else ""
    except NoReverseMatch:  # a name that was redacted
        return ""


def _summary(event: Event, detail: Any) -> str:
    """Return what an event adds to its subject, if it is short."""
    match event.action:
        case "member.granted":
            return f"{detail.get('user')}: {detail.get('role')}"
        case "member.revoked":
            return f"{detail.get('user')}"
        case "alias.pointed":
            return f"at {detail.get('to')}"
        case "namespace.policy_set":
            return f"from {detail.get('before')} to {detail.get('after')}"
        case _:
            return ""
