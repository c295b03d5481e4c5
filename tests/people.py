"""The user and the namespace of most tests."""

from typing import Any

from django.db import connection

from registry.models import Event, LogRange, LogTile, Membership, Namespace, Role, User
from registry.models.row_insertion import insert_rows
from registry.services.core.permissions import Actor
from registry.services.event_log import tree_hashes
from registry.services.event_log.appending import last_event_number
from registry.services.namespaces import members, namespaces

TITLE = "Acme"
# Decision 176: 7,000 tests have the same two events, behind the same log.
_written: dict[tuple[int, bytes], tuple[list[dict[str, Any]], list[LogRange]]] = {}


def make_alice() -> User:
    """Return the user alice, who has no rights unless granted."""
    return User.objects.filter(username="alice").first() or User.objects.create_user("alice")


def make_acme() -> Namespace:
    """Return the namespace acme, which Alice owns.

    The services write it once in each process. A test that starts with the same log, whose
    transaction will be rolled back, writes the same rows.
    """
    if namespace := Namespace.objects.filter(name="acme").first():
        return namespace
    alice = make_alice()
    before = tree_hashes.current_range()
    key = before.size, before.encode()
    if not connection.in_atomic_block or before.size != last_event_number():
        return _make_acme(alice)
    if key in _written:
        return _write_again(alice, *_written[key])
    tiles = LogTile.objects.count()
    namespace = _make_acme(alice)
    if LogTile.objects.count() == tiles:
        events = Event.objects.filter(number__gt=before.size).values()
        _written[key] = (
            [{**event} for event in events],
            [*LogRange.objects.filter(size__gt=before.size)],
        )
    return namespace


def _make_acme(alice: User) -> Namespace:
    namespace = namespaces.create_namespace("acme", actor=Actor.operator(alice), title=TITLE)
    members.grant_role(namespace, alice, Role.OWNER, actor=Actor.operator(alice))
    return namespace


def _write_again(alice: User, events: list[dict[str, Any]], ranges: list[LogRange]) -> Namespace:
    namespace = Namespace.objects.create(name="acme", title=TITLE)
    Membership.objects.create(namespace=namespace, user=alice, role=Role.OWNER)
    # Django would write the present time, which is not that of their leaves.
    rows = [
        event
        | {
            "actor_id": alice.pk,
            "created": connection.ops.adapt_datetimefield_value(event["created"]),
        }
        for event in events
    ]
    insert_rows(Event, tuple(rows[0]), [tuple(row.values()) for row in rows])
    LogRange.objects.bulk_create(ranges)
    return namespace
