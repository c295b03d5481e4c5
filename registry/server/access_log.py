"""The access log of answers from memory, in the lines that `registry.middleware` writes.

Python's logging takes longer for a line than such an answer takes for everything else. So lines
are formatted here, and a thread writes them a few times a second: a crash loses 0.2 s of them.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, NamedTuple

INTERVAL = 0.2  # seconds


class Line(NamedTuple):
    """The line of one answer."""

    method: str
    path: str  # quoted, as in a URL
    status: int
    ms: float  # milliseconds that the answer took
    size: int  # bytes of the body that were sent
    address: str
    request_id: str


def plain_text(line: Line, second: str, micros: int) -> str:
    """Return a line as `PlainFormatter` writes it."""
    method, path, status, ms, size, address, request_id = line
    return (
        f"{second},{micros // 1000:03d} INFO registry.access [{request_id}] "
        f"{method} {path} {status} {ms} ms {size} bytes {address} -\n"
    )


def json_text(line: Line, second: str, micros: int) -> str:
    """Return a line as `JsonLinesFormatter` writes it. No value needs an escape."""
    method, path, status, ms, size, address, request_id = line
    return (
        '{"level": "INFO", "logger": "registry.access", "message": '
        f'"{method} {path} {status} {ms} ms {size} bytes {address} -", '
        f'"request_id": "{request_id}", "method": "{method}", "path": "{path}", '
        f'"status": {status}, "ms": {ms}, "bytes": {size}, "address": "{address}", "user": null, '
        f'"time": "{second}.{micros:06d}+00:00"}}\n'
    )


Format = Callable[[Line, str, int], str]


class AccessLog:
    """The lines of one process that are not written yet."""

    def __init__(self, handler: logging.StreamHandler[Any], *, as_json: bool) -> None:
        self._handler = handler
        self._format: Format = json_text if as_json else plain_text
        self._to_time = time.gmtime if as_json else time.localtime
        self._pattern = "%Y-%m-%dT%H:%M:%S" if as_json else "%Y-%m-%d %H:%M:%S"
        self._texts: deque[str] = deque()
        self._second = (0, "")
        self._is_closed = Event()
        self._thread = Thread(target=self._write_regularly, name="access-log", daemon=True)
        self._thread.start()

    def add(self, line: Line) -> None:
        """Add a line, with the current time."""
        now = time.time()
        second = int(now)
        if second != self._second[0]:
            self._second = (second, time.strftime(self._pattern, self._to_time(second)))
        micros = int((now - second) * 1_000_000)
        self._texts.append(self._format(line, self._second[1], micros))

    def close(self) -> None:
        """Write the remaining lines, and end the thread."""
        self._is_closed.set()
        self._thread.join()

    def _write_regularly(self) -> None:
        while not self._is_closed.wait(INTERVAL):
            self._write()
        self._write()

    def _write(self) -> None:
        text = "".join(self._texts.popleft() for _ in range(len(self._texts)))
        if text:
            with self._handler.lock:  # type: ignore[union-attr] # handlers have one
                self._handler.stream.write(text)
                self._handler.flush()
