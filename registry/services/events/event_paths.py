"""Paths of the pages that show what events are about."""

from __future__ import annotations

import json

from django.urls import NoReverseMatch, reverse

from registry.models import Event

NUMBERED = {"proposal": "proposal", "request": "namespace-request"}  # by number, in the detail
NAMED = {  # by the event's subject
    "version": "tag",
    "tag": "tag",
    "alias": "tag",
    "namespace": "namespace",
    "member": "namespace",
    "publisher": "namespace",
    "webhook": "namespace",
    "kind": "kind",
}


def event_path(event: Event) -> str:
    """Return the path of the page of an event's subject; empty if it has none."""
    resource = event.action.partition(".")[0]
    if view := NUMBERED.get(resource):
        return reverse(view, args=[json.loads(event.detail)[resource]])
    try:
        return reverse(NAMED[resource], args=[event.subject]) if resource in NAMED else ""
    except NoReverseMatch:  # the name was redacted
        return ""
