"""Nightly jobs: when they are due, what ends them, and what is known of their failures."""

import sys
import time
from datetime import UTC, datetime, time as time_of_day, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from registry.models import Duty
from registry.services.work.nightly import NightlyJob, last_start
from registry.services.work.tasks import Interrupted, TaskFailed

NOON = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


def job(code: str = "", *, at: time_of_day = time_of_day(2), limit: float = 60) -> NightlyJob:
    """Return a job that runs Python code."""
    return NightlyJob("backup", at, lambda: ["-c", code], (sys.executable,), limit=limit)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (time_of_day(2), NOON.replace(hour=2)),
        (time_of_day(12), NOON),
        (time_of_day(12, 1), NOON.replace(minute=1) - timedelta(days=1)),
    ],
)
def test_last_start_is_at_most_a_day_ago(at: time_of_day, expected: datetime) -> None:
    assert last_start(at, NOON) == expected


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("succeeded", "failed", "failures", "is_due"),
    [
        (None, None, 0, True),  # never
        (timedelta(hours=9), None, 0, False),  # today at three
        (timedelta(hours=11), None, 0, True),  # today at one, before its time
        (timedelta(days=1), None, 0, True),
        (-timedelta(days=9), None, 0, True),  # the clock has gone back
        (timedelta(days=1), timedelta(minutes=9), 1, False),
        (timedelta(days=1), timedelta(minutes=11), 1, True),
        (timedelta(days=1), timedelta(minutes=11), 2, False),
        (timedelta(days=1), timedelta(minutes=21), 2, True),
        (None, timedelta(minutes=9), 1, False),
        (None, timedelta(hours=3, minutes=1), 40, True),
        (None, -timedelta(hours=1), 1, True),
    ],
)
def test_job_is_due_once_a_day_and_again_after_failures(
    monkeypatch: pytest.MonkeyPatch,
    succeeded: timedelta | None,
    failed: timedelta | None,
    failures: int,
    is_due: bool,
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    Duty.objects.create(
        name="backup",
        succeeded=None if succeeded is None else NOON - succeeded,
        failed=None if failed is None else NOON - failed,
        failures=failures,
    )
    assert job().is_due() is is_due


@pytest.mark.django_db
def test_job_of_a_new_registry_is_due() -> None:
    assert job().is_due()


def test_command_runs_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "done"
    job(f"import pathlib; pathlib.Path({str(file)!r}).touch()").run(lambda: True)
    assert file.exists()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('first\\n2 findings.\\n')", "2 findings."),
        ("import sys; sys.exit(3)", "It exited with 3."),
        ("import os; os.kill(os.getpid(), 9)", "It exited with -9."),
    ],
)
def test_failure_has_the_last_line_as_its_reason(code: str, reason: str) -> None:
    with pytest.raises(TaskFailed) as failed:
        job(code).run(lambda: True)
    assert str(failed.value) == reason


SLEEPS = "import time; time.sleep(60)"
IGNORES = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}"


@pytest.mark.parametrize("code", [SLEEPS, IGNORES])
def test_job_ends_with_the_worker(code: str) -> None:
    start = time.monotonic()
    with pytest.raises(Interrupted):
        job(code).run(lambda: time.monotonic() - start < 0.5)
    assert time.monotonic() - start < 30, "it did not wait for the job"


def test_job_that_hangs_is_ended() -> None:
    with pytest.raises(TaskFailed, match="It took more than"):
        job(SLEEPS, limit=0.1).run(lambda: True)
