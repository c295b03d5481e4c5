"""Counting, as far as one process can see it. The rest is in tests/test_edge.py."""

from collections import Counter
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from registry.domain.errors import Code, Refused
from registry.models import User
from registry.services.core import metrics
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.namespaces import namespaces


class Tally(Counter[str]):
    """A counter of prometheus-client's with one label."""

    def labels(self, label: str) -> Any:
        def inc(number: int = 1) -> None:
            self[label] += number

        return type("Child", (), {"inc": staticmethod(inc)})


class Meters:
    def __init__(self) -> None:
        self.writes, self.refusals = Tally(), Tally()


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> Meters:
    made = Meters()
    monkeypatch.setattr(metrics, "_meters", made)
    return made


@pytest.mark.django_db
def test_events_are_counted_once_they_are_committed(
    meters: Meters, alice: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
    assert not meters.writes
    for callback in callbacks:
        callback()
    assert meters.writes == {"namespace.made": 1}


@pytest.mark.django_db
def test_what_is_taken_back_is_not_counted(
    meters: Meters, alice: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def second_thought() -> None:
        with write_lock():
            namespaces.create_namespace("acme", actor=Actor.operator(alice))
            raise Refused(Code.CONFLICT, "No.")

    with django_capture_on_commit_callbacks(execute=True), pytest.raises(Refused):
        second_thought()
    assert not meters.writes


def test_nothing_is_counted_unless_it_was_started() -> None:
    metrics.count_response("GET", "healthz", 200, 0.1)
    metrics.count_refusal("BUSY")
    metrics.count_events(["namespace.made"])
    assert metrics.render_metrics() is None
