"""Logs and counts the answers from memory, in batches.

Logging an answer and counting it takes longer than the answer itself; of many at once, much less.
So each answer leaves a record. The lines of the access log are those that `registry.middleware`
writes; a thread writes them a few times a second, so that a crash loses 0.2 s of them.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from functools import lru_cache
from threading import Event, Lock, Thread
from typing import Any, NamedTuple, Protocol

from registry.services.core import metrics, usage

BATCH = 64  # records, which are still in the processor's cache
INTERVAL = 0.2  # seconds
MAX_WAITING = 1000  # batches; more only wait if nobody reads the log


class Answer(NamedTuple):
    """The parts of an answer that are logged and counted."""

    path: str  # quoted, as in a URL
    route: str
    tag: str  # empty for a digest
    status: int
    size: int  # bytes of the body


# An answer with its method, the client's address, the request's id, the Unix time and the duration,
# both in seconds. Making a named tuple would take half as long as making the line of the log.
Record = tuple[Answer, str, str, str, float, float]


def plain_text(record: Record, second: str) -> str:
    """Return a line as `PlainFormatter` writes it."""
    (path, _, _, status, size), method, address, request_id, now, seconds = record
    return "%s,%03d INFO registry.access [%s] %s %s %d %.1f ms %d bytes %s -\n" % (  # noqa: UP031 - an f-string takes a quarter longer
        *(second, now % 1 * 1000, request_id, method, path, status, seconds * 1000),
        *(size if method == "GET" else 0, address),
    )


def json_text(record: Record, second: str) -> str:
    """Return a line as `JsonLinesFormatter` writes it. No value needs an escape."""
    (path, _, _, status, size), method, address, request_id, now, seconds = record
    ms, size = f"{seconds * 1000:.1f}", size if method == "GET" else 0
    return (
        '{"level": "INFO", "logger": "registry.access", "message": '
        f'"{method} {path} {status} {ms} ms {size} bytes {address} -", '
        f'"request_id": "{request_id}", "method": "{method}", "path": "{path}", '
        f'"status": {status}, "ms": {ms}, "bytes": {size}, "address": "{address}", "user": null, '
        f'"time": "{second}.{int(now % 1 * 1_000_000):06d}+00:00"}}\n'
    )


class AccessLog:
    """The lines of records, for a handler of Python's logging."""

    def __init__(self, handler: logging.StreamHandler[Any], *, as_json: bool) -> None:
        self._handler = handler
        self._format = json_text if as_json else plain_text
        to_time = time.gmtime if as_json else time.localtime
        pattern = "%Y-%m-%dT%H:%M:%S" if as_json else "%Y-%m-%d %H:%M:%S"
        self._second = lru_cache(maxsize=2)(lambda now: time.strftime(pattern, to_time(now)))

    def lines(self, records: Iterable[Record]) -> str:
        """Return a line for each record."""
        line, second = self._format, self._second
        return "".join([line(record, second(int(record[4]))) for record in records])

    def write(self, text: str) -> None:
        """Write lines. Blocks if nobody reads the log."""
        with self._handler.lock:  # type: ignore[union-attr] # handlers have one
            self._handler.stream.write(text)
            self._handler.flush()


class Records(Protocol):
    """Where answers are recorded."""

    @property
    def is_full(self) -> bool:
        """Return whether many records wait, because nobody reads the log."""

    def add(
        self, answer: Answer, method: str, address: str, request_id: str, seconds: float
    ) -> None:
        """Record an answer that was given now and took some seconds. Does not block."""


class AnswerRecords:
    """The records of one process, and the lines of the access log that are not written yet."""

    def __init__(self, access_log: AccessLog | None) -> None:
        self._access_log = access_log
        self._records: list[Record] = []
        self._texts: deque[str] = deque()
        self._lock = Lock()
        self._is_closed = Event()
        self._thread = Thread(target=self._write_regularly, name="answer-records", daemon=True)
        self._thread.start()

    @property
    def is_full(self) -> bool:
        """Return whether many lines wait to be written: nobody reads the log."""
        return len(self._texts) >= MAX_WAITING

    def add(
        self, answer: Answer, method: str, address: str, request_id: str, seconds: float
    ) -> None:
        """Record an answer that was given now and took some seconds. Does not block."""
        with self._lock:
            self._records.append((answer, method, address, request_id, time.time(), seconds))
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
        with self._lock:
            self._handle()
        while self._access_log and self._texts:
            self._access_log.write(self._texts.popleft())

    def _handle(self) -> None:
        """Count the records, and make their lines."""
        durations = defaultdict[tuple[Answer, str], list[float]](list)
        for answer, method, _, _, _, seconds in self._records:
            durations[answer, method].append(seconds)
        for (answer, method), values in durations.items():
            metrics.count_responses(method, answer.route, answer.status, values)
            if answer.tag and method == "GET":
                usage.count(answer.tag, len(values))
        if self._access_log and self._records:
            self._texts.append(self._access_log.lines(self._records))
        self._records.clear()
