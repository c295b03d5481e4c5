"""Logs and counts the answers from memory, in batches.

Logging an answer and counting it takes longer than the answer itself; of many at once, much less.
So each answer leaves a record. A thread writes the lines of the access log a few times a second, so
that a crash loses 0.2 s of them.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from threading import Event, Lock, Thread
from typing import Any, Protocol

from registry.http.access_log import Answer, Record, json_text, plain_text
from registry.services.core import metrics, usage

BATCH = 64  # records, which are still in the processor's cache
INTERVAL = 0.2  # seconds
MAX_WAITING = 1000  # batches; more only wait if nobody reads the log


class Records(Protocol):
    """The interface for recording answers."""

    is_full: bool  # many lines wait to be written, because nobody reads the log

    def add(self, answer: Answer, address: str, request_id: str, seconds: float) -> None:
        """Record an answer that was given now and took some seconds. Does not block."""


class AnswerRecords:
    """The records of one process, and the lines of the access log that are not written yet.

    `log` is a handler of Python's logging that writes the access log, or None.
    """

    def __init__(self, log: logging.StreamHandler[Any] | None, *, as_json: bool = False) -> None:
        self.is_full = False
        self._log = log
        self._line = json_text if as_json else plain_text
        self._records: deque[Record] = deque()
        self._texts: deque[str] = deque()
        self._lock = Lock()
        self._is_closed = Event()
        self._thread = Thread(target=self._write_regularly, name="answer-records", daemon=True)
        self._thread.start()

    def add(self, answer: Answer, address: str, request_id: str, seconds: float) -> None:
        """Record an answer that was given now and took some seconds. Does not block."""
        self._records.append((answer, address, request_id, time.time(), seconds))
        if len(self._records) >= BATCH:
            self._handle()

    def close(self) -> None:
        """Handle the remaining records, and end the thread."""
        self._is_closed.set()
        self._thread.join()

    def _write_regularly(self) -> None:
        while not self._is_closed.wait(INTERVAL):
            self._write()
        self._write()

    def _write(self) -> None:
        self._handle()
        while self._log and self._texts:
            text = "".join(self._texts.popleft() for _ in range(len(self._texts)))
            with self._log.lock:  # type: ignore[union-attr] # handlers have one
                self._log.stream.write(text)  # blocks if nobody reads the log
                self._log.flush()
        self.is_full = False

    def _handle(self) -> None:
        """Count the records, and make their lines."""
        with self._lock:
            records = [self._records.popleft() for _ in range(len(self._records))]
            self._count(records)
            if self._log and records:
                self._texts.append("".join(map(self._line, records)))
                self.is_full = len(self._texts) >= MAX_WAITING

    def _count(self, records: Sequence[Record]) -> None:
        durations = defaultdict[Answer, list[float]](list)
        metrics.count_lookups("hit", len(records))
        for answer, _, _, _, seconds in records:
            durations[answer].append(seconds)
        for answer, values in durations.items():
            metrics.count_responses(answer.method, answer.route, answer.status, values)
            if answer.tag:
                usage.count(answer.tag, len(values))
