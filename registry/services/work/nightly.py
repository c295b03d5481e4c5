"""Nightly jobs: commands of `manage.py` that run in processes of their own, at stated times.

So a job can neither block the worker nor take its memory, and the database knows when it last ran.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time as time_of_day, timedelta
from typing import IO

from django.utils import timezone

from registry.models import Duty
from registry.services.work.tasks import GoOn, Interrupted, TaskFailed, may_retry

DAY = timedelta(days=1)
FIRST_PAUSE = timedelta(minutes=10)  # after a failed run
MAX_PAUSE = timedelta(hours=3)
LIMIT = 6 * 3600  # seconds; a job that takes longer hangs
POLL = 0.2  # seconds between two looks at a running job
GRACE = 0.5  # seconds to end in, when the worker ends

Arguments = Callable[[], Sequence[str]]  # of manage.py; the name of a file may have today's date


@dataclass
class NightlyJob:
    """A command that runs once a day, first when the registry is new."""

    name: str
    at: time_of_day  # UTC
    arguments: Arguments
    program: Sequence[str]  # that runs commands, such as python manage.py
    interval: float = 20.0
    limit: float = LIMIT

    def is_due(self) -> bool:
        """Return whether it has not succeeded since its time, and may be tried again."""
        duty = Duty.objects.filter(name=self.name).first()
        if duty is None or (duty.succeeded is None and not duty.failures):
            return True
        now = timezone.now()
        start = last_start(self.at, now)
        # A success in the future is that of a clock that has gone back.
        if duty.succeeded is not None and start <= duty.succeeded <= now:
            return False
        return may_retry(duty, FIRST_PAUSE, MAX_PAUSE)

    def run(self, may_go_on: GoOn) -> None:
        """Run the command to its end. Raises `TaskFailed` with its last line on standard error."""
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(  # noqa: S603 - our own program, without a shell
                [*self.program, *self.arguments()], stderr=errors, stdin=subprocess.DEVNULL
            )
            try:
                self._wait(process, may_go_on)
            finally:
                end(process)
                last = _last_line(errors)
        if process.returncode:
            time.sleep(POLL)  # a signal for both processes has arrived here, too
            if not may_go_on():
                raise Interrupted
            raise TaskFailed(last or f"It exited with {process.returncode}.")

    def _wait(self, process: subprocess.Popen[bytes], may_go_on: GoOn) -> None:
        """Return when a process ends. Raises `Interrupted`, and `TaskFailed` if it hangs."""
        deadline = time.monotonic() + self.limit
        while process.poll() is None:
            if not may_go_on():
                raise Interrupted
            if time.monotonic() > deadline:
                raise TaskFailed(f"It took more than {self.limit / 3600:g} hours.")
            time.sleep(POLL)


def last_start(at: time_of_day, now: datetime) -> datetime:
    """Return when it was last that time of the day, in UTC."""
    today = datetime.combine(now.astimezone(UTC).date(), at, UTC)
    return today if today <= now else today - DAY


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process if it still runs, within half a second."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _last_line(errors: IO[bytes]) -> str:
    """Return the last line that a command has written, and pass all on to our standard error."""
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    sys.stderr.write(text)
    lines = text.split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
