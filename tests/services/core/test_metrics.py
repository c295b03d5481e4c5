"""Metrics of one process; tests/test_edge.py tests several."""

import errno
import os
import subprocess
from collections import Counter
from pathlib import Path
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
    """A fake prometheus-client counter with one label."""

    def labels(self, label: str) -> Any:
        def inc(number: int = 1) -> None:
            self[label] += number

        return type("Child", (), {"inc": staticmethod(inc)})


class Meters:
    def __init__(self) -> None:
        self.writes, self.refusals = Tally(), Tally()


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> Meters:
    fake = Meters()
    monkeypatch.setattr(metrics, "_meters", fake)
    return fake


@pytest.mark.django_db
def test_events_are_counted_on_commit(
    meters: Meters, alice: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
    assert not meters.writes
    for callback in callbacks:
        callback()
    assert meters.writes == {"namespace.made": 1}


@pytest.mark.django_db
def test_rolled_back_events_are_not_counted(
    meters: Meters, alice: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def create_and_fail() -> None:
        with write_lock():
            namespaces.create_namespace("acme", actor=Actor.operator(alice))
            raise Refused(Code.CONFLICT, "No.")

    with django_capture_on_commit_callbacks(execute=True), pytest.raises(Refused):
        create_and_fail()
    assert not meters.writes


def test_nothing_is_counted_before_the_start() -> None:
    metrics.count_response("GET", "healthz", 200, 0.1)
    metrics.count_refusal("BUSY")
    metrics.count_wait("page", 0.1)
    metrics.count_full_lane("page")
    metrics.count_pause("page")
    metrics.count_processor_time("GET", "healthz", 0.1)
    metrics.note_revision()
    metrics.note_pool({"idle": 1})
    metrics.count_events(["namespace.made"])
    assert metrics.render_metrics() is None


def test_file_has_all_its_space_from_the_start(tmp_path: Path) -> None:
    file = tmp_path / "counter_1.db"
    metrics._reserve(file)
    assert file.stat().st_blocks * 512 >= metrics.FILE_SIZE


def test_nothing_is_counted_without_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    monkeypatch.setattr(metrics, "_lock_file", None)
    metrics.start(tmp_path)
    assert metrics.render_metrics() is None
    assert "counts no metrics" in caplog.text
    assert not list(tmp_path.glob("*.db"))
    assert metrics._lock_file
    metrics._lock_file.close()


def test_gauges_of_dead_processes_are_forgotten_and_others_stay(tmp_path: Path) -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    of_dead = tmp_path / f"gauge_livesum_{process.pid}.db"
    others = [
        tmp_path / f"gauge_livesum_{os.getpid()}.db",
        tmp_path / f"counter_{process.pid}.db",
    ]
    for file in (of_dead, *others):
        file.touch()
    metrics._forget_gauges_of_dead_processes(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(others)
