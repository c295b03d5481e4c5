"""A registry of release 0.1 gets its tree, once, and says which leaves are of that time."""

import json

import pytest
from django.db import connection

from registry.models import Event, LogRange, Namespace, User, Version, VersionLeaf
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import leaf_bytes, tree_hashes
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.operations import log_backfill, redaction, verify
from tests.publishing import WITHOUT_LINTS, publish
from tests.services.operations.long_log import lengthen_log
from tests.services.operations.tampering import tamper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("full_tile")]


@pytest.fixture
def full_tile(acme: Namespace, alice: User) -> None:
    lengthen_log(alice)


def go_back() -> None:
    """Remove the tree, and what else release 0.1 did not write."""
    for table in ("logrange", "logtile", "logkey", "versionleaf"):
        tamper(f"DELETE FROM registry_{table}")  # noqa: S608 - names of this test


def leaf(number: int) -> dict[str, object]:
    (entry,) = leaf_bytes.leaves(number - 1, number)
    found: dict[str, object] = json.loads(entry)
    return found


def test_events_of_release_0_1_are_covered_and_marked(alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    tree, size = tree_hashes.current_range(), last_event_number()
    go_back()
    assert log_backfill.backfill() == size
    assert tree_hashes.current_range().size == size
    assert tree_hashes.current_range() != tree, "its leaves say that they are of 0.1"
    assert [leaf(number)["backfilled"] for number in (1, 256, size)] == [True] * 3
    with write_lock():
        append_event("lints.replaced", "lints", actor=alice, namespace="")
    assert "backfilled" not in leaf(size + 1)
    assert list(verify.verify()) == []


def test_every_version_gets_its_event() -> None:
    before = dict(VersionLeaf.objects.values_list("version", "event"))
    assert len(before) == Version.objects.count()
    go_back()
    log_backfill.backfill()
    assert dict(VersionLeaf.objects.values_list("version", "event")) == before


def test_second_run_changes_nothing() -> None:
    go_back()
    log_backfill.backfill()
    rows = LogRange.objects.count()
    assert log_backfill.backfill() == 0
    assert LogRange.objects.count() == rows == 1


def test_registry_without_events_has_no_tree() -> None:
    go_back()
    tamper("DELETE FROM registry_event")
    assert log_backfill.backfill() == 0
    assert not LogRange.objects.exists()


def test_version_that_was_redacted_is_stated_by_an_event_of_its_own(alice: User) -> None:
    publish("acme/board", {**WITHOUT_LINTS, "model": "s3cr3t-model"})
    connection.check_constraints()  # deferred, as all is one transaction
    redaction.redact("s3cr3t-model", reason="leaked", actor=Actor.operator(alice))
    tamper("DELETE FROM registry_event WHERE action = 'version.redacted'")
    go_back()
    size = last_event_number()
    assert log_backfill.backfill() == size
    version = Version.objects.with_leaf().get(tag__text="acme/board")
    assert version.event == size + 1
    event = Event.objects.get(number=size + 1)
    assert (event.action, event.subject) == ("version.redacted", "acme/board@1.0.0")
    assert event.actor == alice
    assert leaf(size + 1)["digest"] == version.digest
    assert "backfilled" not in leaf(size + 1)
    assert list(verify.verify()) == []


def test_events_that_cannot_be_read_are_covered() -> None:
    """Verification reports them; the upgrade does not stop."""
    tamper("UPDATE registry_event SET detail = '{' WHERE number = 3")
    go_back()
    assert log_backfill.backfill() == last_event_number()
