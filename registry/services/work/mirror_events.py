"""The task that applies events to a mirror as they come. The nightly job reads everything."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from pathlib import Path

from registry.models import Duty
from registry.services.event_log.appending import last_event_number
from registry.services.operations import mirroring
from registry.services.versions.exporting import ExportFormat
from registry.services.work.tasks import GoOn, Interrupted, may_retry

FIRST_PAUSE = timedelta(seconds=10)  # after a failure
MAX_PAUSE = timedelta(minutes=10)


class MirrorEvents:
    """Brings a mirror up to date within seconds of each event."""

    name = "mirror-events"
    interval = 1.0  # a mirror is to be less than five seconds behind; a look is one query

    def __init__(self, folder: Path, address: str, forms: Collection[ExportFormat]) -> None:
        self._folder, self._address, self._forms = folder, address, forms
        self._applied: int | None = None  # the last event that this worker has applied

    def is_due(self) -> bool:
        """Return whether there are events that the mirror lacks, as far as this worker knows."""
        if last_event_number() == self._applied:
            return False
        duty = Duty.objects.filter(name=self.name).first()
        return may_retry(duty, FIRST_PAUSE, MAX_PAUSE)

    def run(self, may_go_on: GoOn) -> None:
        """Apply them; read everything if they do not tell. Raises `Refused` and `Interrupted`."""

        def report(_step: str, _done: int, _total: int) -> None:
            if not may_go_on():
                raise Interrupted

        last = last_event_number()
        mirroring.write_mirror(
            self._folder, address=self._address, forms=self._forms, report=report
        )
        self._applied = last
