"""Posts what waits to webhooks: for each in the order of events, and later if one fails.

An event is posted at least once. If the worker ends between the response and the note of it, it is
posted again, with the same id.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from registry.domain.webhooks import schedule, signatures
from registry.models import Webhook, WebhookDelivery
from registry.services.core.paging import Page, paginate
from registry.services.core.transactions import write_lock
from registry.services.outbox.sealing import Unreadable, unseal
from registry.services.webhooks import posting, registration
from registry.services.webhooks.events import body_of
from registry.services.webhooks.posting import AddressRule, PostFailed

AGENT = "target-tag-registry"
KEPT = timedelta(days=30)  # of what was delivered or given up


def due_webhooks() -> QuerySet[Webhook]:
    """Return the webhooks for which an event waits, and that are not paused after a failure."""
    waiting = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), waits=True)
    is_due = Q(paused_until=None) | Q(paused_until__lte=timezone.now())
    # A clock that has gone back would pause it for as long.
    is_due |= Q(paused_until__gt=timezone.now() + 2 * schedule.PAUSES[-1])
    return Webhook.objects.filter(is_due, Exists(waiting), disabled=None)


def deliver_due(is_allowed: AddressRule, may_go_on: Callable[[], bool]) -> None:
    """Post one event to each webhook that is due, in turn, until none is."""
    while may_go_on() and (webhooks := list(due_webhooks().select_related("namespace"))):
        for webhook in webhooks:
            if not may_go_on():
                return
            _deliver_next(webhook, is_allowed)


def _deliver_next(webhook: Webhook, is_allowed: AddressRule) -> None:
    rows = WebhookDelivery.objects.filter(webhook=webhook, waits=True)
    delivery = rows.select_related("event__actor").order_by("event").first()
    if delivery is None:
        return
    status, reason = _post(webhook, delivery, is_allowed)
    if not reason:
        _record_success(delivery, status)
    else:
        _record_failure(delivery, status, reason)


def _post(
    webhook: Webhook, delivery: WebhookDelivery, is_allowed: AddressRule
) -> tuple[int | None, str]:
    """Post an event; return the status, if there was a response, and why it failed, if it did."""
    try:
        secret = unseal(webhook.secret)[registration.SECRET]
    except Unreadable:
        return None, "its secret was encrypted with another SECRET_KEY; add it again"
    body = body_of(delivery.event)
    signed = signatures.signed_headers(secret, delivery.message_id, int(time.time()), body)
    headers = {"Content-Type": "application/json", "User-Agent": AGENT, **signed}
    try:
        status = posting.post(webhook.url, body, headers, is_allowed)
    except PostFailed as failure:
        return None, str(failure)
    return status, "" if 200 <= status < 300 else f"the response was {status}"


def _record_success(delivery: WebhookDelivery, status: int | None) -> None:
    now = timezone.now()
    rows = WebhookDelivery.objects.filter(pk=delivery.pk)
    rows.update(
        waits=False,
        attempts=F("attempts") + 1,
        attempted=now,
        delivered=delivery.delivered or now,
        status=status,
        reason="",
    )
    webhook = Webhook.objects.filter(pk=delivery.webhook_id).exclude(failures=0)
    webhook.update(failures=0, failing_since=None, paused_until=None)


def _record_failure(delivery: WebhookDelivery, status: int | None, reason: str) -> None:
    now = timezone.now()
    with write_lock():
        rows = WebhookDelivery.objects.filter(pk=delivery.pk)
        rows.update(attempts=F("attempts") + 1, attempted=now, status=status, reason=reason[:120])
        webhooks = Webhook.objects.select_related("namespace", "registrar")
        webhook = webhooks.filter(pk=delivery.webhook_id, disabled=None).first()
        if webhook is None:  # removed meanwhile
            return
        since = webhook.failing_since or now
        webhook.failing_since = min(since, now)  # a clock may have gone back
        webhook.failures += 1
        webhook.paused_until = now + schedule.pause_after(webhook.failures)
        if status == schedule.GONE or now - webhook.failing_since >= schedule.GIVEN_UP_AFTER:
            _give_up(webhook)
        webhook.save(update_fields=["failing_since", "failures", "paused_until", "disabled"])


def _give_up(webhook: Webhook) -> None:
    """Disable a webhook; its owners hear of it, and what waited stays in its log."""
    webhook.disabled = timezone.now()
    WebhookDelivery.objects.filter(webhook=webhook, waits=True).update(waits=False)
    registration.record_disabled(webhook)


def list_deliveries(
    webhook: Webhook, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[WebhookDelivery]:
    """Return a page of the deliveries of a webhook, newest event first. One query."""
    rows = WebhookDelivery.objects.filter(webhook=webhook).select_related("event")
    if after:
        rows = rows.filter(event__lt=after[0])
    return paginate(rows.order_by("-event"), key=lambda row: [row.event_id], limit=limit)


def forget_old(batch: int) -> int:
    """Delete what was delivered or given up long ago; return how many rows. Two queries."""
    rows = WebhookDelivery.objects.filter(waits=False, event__created__lt=timezone.now() - KEPT)
    pks = list(rows.order_by("pk").values_list("pk", flat=True)[:batch])
    WebhookDelivery.objects.filter(pk__in=pks).delete()
    return len(pks)
