"""Notes which events wait for which webhooks, and writes their bodies."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from registry.models import Event, Webhook, WebhookDelivery
from registry.services.event_log import reading
from registry.services.event_log.reading import Write
from registry.services.events import event_feed

NAME = "webhooks"  # of the cursor


def has_unread_events() -> bool:
    """Return whether there are events that wait for no webhook yet. Two queries."""
    return reading.has_unread(NAME)


def read_events() -> bool:
    """Let the next events wait for the webhooks of their namespaces; return whether more may be.

    Those that were given up have them in their log only.
    """
    return reading.read_on(NAME, _prepare)


def _prepare(events: Sequence[Event]) -> Write:
    names = {event.namespace for event in events if _is_public(event)}
    webhooks: dict[str, list[Webhook]] = defaultdict(list)
    rows = Webhook.objects.filter(namespace__name__in=names)
    for webhook in rows.select_related("namespace"):
        webhooks[webhook.namespace.name].append(webhook)
    deliveries = [
        WebhookDelivery(
            webhook=webhook,
            event=event,
            message_id=f"msg_{secrets.token_hex(16)}",
            waits=webhook.disabled is None,  # else it can be delivered by hand, once enabled
        )
        for event in events
        if _is_public(event)
        for webhook in webhooks.get(event.namespace, ())
    ]
    return partial(WebhookDelivery.objects.bulk_create, deliveries)


def _is_public(event: Event) -> bool:
    return bool(event.namespace) and not event.action.startswith(event_feed.PRIVATE)


def body_of(event: Event) -> bytes:
    """Return the body that is posted for an event: the event as the API shows it.

    It is written anew for each attempt, so that a redaction reaches it.
    """
    created = f"{event.created:%Y-%m-%dT%H:%M:%SZ}"
    event_data = {
        "number": event.number,
        "action": event.action,
        "subject": event.subject,
        "namespace": event.namespace,
        "actor": event.actor.username,
        "created": created,
        "detail": event_feed.public_detail(event),
    }
    return json.dumps({"type": event.action, "timestamp": created, "data": event_data}).encode()
