"""Registers, removes and enables the webhooks of namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.webhooks import signatures
from registry.domain.webhooks.public_addresses import is_public
from registry.models import Namespace, User, Webhook, WebhookDelivery
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.outbox.sealing import seal

MAX_URL = 500  # characters, the width of the column
MAX_WEBHOOKS = 10  # of a namespace
SECRET = "secret"  # noqa: S105 - the member of the sealed content


def add_webhook(namespace: Namespace, *, url: str, actor: Actor | None) -> tuple[Webhook, str]:
    """Register an address; return its webhook, and the secret, which is not shown again.

    Raises `Refused`: FORBIDDEN if the actor has to enter the password again, REQUEST_INVALID for
    another URL than https, CONFLICT if it is registered or the namespace has ten.
    """
    permission = permissions.require(actor, Action.MANAGE_WEBHOOKS, namespace)
    permissions.refuse_unconfirmed(permission.actor)
    url = user_text.normalize_text(url)
    refuse_all(list(_url_faults(url)))
    secret = signatures.new_secret()
    with authorized_write(permission):
        rows = Webhook.objects.filter(namespace=namespace)
        if rows.filter(url=url).exists():
            raise Refused(Code.CONFLICT, f"{namespace} has a webhook with this URL already.")
        if rows.count() >= MAX_WEBHOOKS:
            raise Refused(Code.CONFLICT, f"{namespace} has {MAX_WEBHOOKS} webhooks: remove one.")
        webhook = Webhook.objects.create(
            namespace=namespace, url=url, secret=seal({SECRET: secret}), registrar=permission.user
        )
        _append("webhook.added", webhook, permission.user)
    return webhook, secret


def remove_webhook(webhook: Webhook, *, actor: Actor | None) -> None:
    """Remove a webhook with the log of its deliveries."""
    permission = permissions.require(actor, Action.MANAGE_WEBHOOKS, webhook.namespace)
    with authorized_write(permission):
        current = find_webhook(webhook.namespace, webhook.pk)
        _append("webhook.removed", current, permission.user)
        current.delete()


def enable_webhook(webhook: Webhook, *, actor: Actor | None) -> None:
    """Let a webhook that was given up begin with the next event."""
    permission = permissions.require(actor, Action.MANAGE_WEBHOOKS, webhook.namespace)
    with authorized_write(permission):
        current = find_webhook(webhook.namespace, webhook.pk)
        if current.disabled is None:
            raise Refused(Code.CONFLICT, "This webhook is in force already.")
        Webhook.objects.filter(pk=current.pk).update(
            disabled=None, failures=0, failing_since=None, paused_until=None
        )
        _append("webhook.enabled", current, permission.user)


def list_webhooks(namespace: Namespace) -> list[Webhook]:
    """Return the webhooks of a namespace, oldest first. One query."""
    return list(Webhook.objects.filter(namespace=namespace).select_related("registrar"))


def find_webhook(namespace: Namespace, number: int) -> Webhook:
    """Return a webhook of a namespace. Raises `Refused` (CONFLICT) if it is removed."""
    rows = Webhook.objects.select_related("namespace", "registrar")
    webhook = rows.filter(namespace=namespace, pk=number).first()
    if webhook is None:
        raise Refused(Code.CONFLICT, f"{namespace} has no webhook {number}: it may be removed.")
    return webhook


def redeliver(webhook: Webhook, delivery: int, *, actor: Actor | None) -> None:
    """Let an event be posted again, with the same id. Nothing happens if it waits already.

    Raises `Refused` (CONFLICT) if the webhook is not in force, or its log has no such delivery.
    """
    permission = permissions.require(actor, Action.MANAGE_WEBHOOKS, webhook.namespace)
    with authorized_write(permission):
        current = find_webhook(webhook.namespace, webhook.pk)
        if current.disabled:
            raise Refused(Code.CONFLICT, "This webhook was given up: enable it first.")
        if not WebhookDelivery.objects.filter(pk=delivery, webhook=current).update(waits=True):
            raise Refused(Code.CONFLICT, "The log has this delivery no longer.")
        Webhook.objects.filter(pk=current.pk).update(paused_until=None)


def record_disabled(webhook: Webhook) -> None:
    """Log that a webhook was given up, of which owners hear as news. Call in a write."""
    _append("webhook.disabled", webhook, webhook.registrar)


def _append(action: str, webhook: Webhook, user: User) -> None:
    """Append an event, which is public, so without the URL."""
    append_event(action, webhook.namespace.name, actor=user, webhook=webhook.pk)


def _url_faults(url: str) -> Iterator[Fault]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= MAX_URL
    is_https = parts.scheme == "https" and host and "@" not in parts.netloc and not parts.fragment
    is_named = "." in host and (is_public(host) or not _is_address(host))
    if not (is_plain and is_https and is_named) or port == 0:
        message = f"{echo(url) or '(empty)'} is not a URL that a webhook can have"
        expected = "an https URL of a public host, such as https://ci.example.org/hooks"
        yield Fault("/url", Code.REQUEST_INVALID, message, expected, echo(url))


def _is_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdecimal()
