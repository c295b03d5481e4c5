"""Builds that resolve tags as fast as they are answered, and check every answer.

    python -m tests.stress.crowd.resolves FOLDER SEED CONNECTIONS PORT ...

It reads the tags from a file in the folder, the most popular first, and ends when its input does.
The rank of a tag decides how often it is resolved (Zipf's law). Every answer must have the bytes
of its digest, and the same digest each time: no tag of this file changes.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import selectors
import signal
import socket
import sys
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, NamedTuple

TAGS, ANSWERS, WRONG = "tags.txt", "answers.bin", "wrong.json"  # files in the folder
EXPONENT = 1.0  # of Zipf's law: the tag of rank r is resolved 1 / r times as often as the first
DRAWN = 10_000  # tags at a time
RECEIVED = 1 << 18  # bytes at a time
PAUSE = 0.05  # seconds after a request that was refused or got no response
TIMEOUT = 10.0  # seconds for a response
MAX_WRONG = 20  # answers that are described
HEADER = re.compile(rb"\r\n(content-length|target-digest|target-version): *([^\r]+)", re.IGNORECASE)
REQUEST = "GET /api/v1/resolve/{}?format=target HTTP/1.1\r\nHost: localhost\r\n\r\n"

Selector = selectors.BaseSelector


class Node(NamedTuple):
    """A server, by its number in the list of servers, and its port."""

    number: int
    port: int


@dataclass
class Answers:
    """What builds got: one entry for each request in each array, in the order of the responses."""

    received: array[float] = field(default_factory=lambda: array("d"))
    seconds: array[float] = field(default_factory=lambda: array("f"))
    status: array[int] = field(default_factory=lambda: array("H"))  # 0: no response
    node: array[int] = field(default_factory=lambda: array("H"))

    def add(self, received: float, seconds: float, status: int, node: int) -> None:
        """Add a request."""
        for column, value in zip(self._columns(), (received, seconds, status, node), strict=True):
            column.append(value)

    def write(self, file: Path) -> None:
        """Write all arrays into a file."""
        with file.open("wb") as output:
            array("Q", [len(self.received)]).tofile(output)
            for column in self._columns():
                column.tofile(output)

    @classmethod
    def read(cls, file: Path) -> Answers:
        """Return the answers in a file."""
        answers, length = cls(), array("Q")
        with file.open("rb") as source:
            length.fromfile(source, 1)
            for column in answers._columns():
                column.fromfile(source, length[0])
        return answers

    def _columns(self) -> list[Any]:
        return [self.received, self.seconds, self.status, self.node]


class Checker:
    """Compares answers with their digests, and with earlier answers."""

    def __init__(self) -> None:
        self._digests: dict[str, tuple[bytes, bytes]] = {}
        self.wrong: list[str] = []

    def check(self, tag: str, head: dict[bytes, bytes], body: bytes) -> None:
        """Check a response with the status 200."""
        digest = head.get(b"target-digest", b"")
        if digest.removeprefix(b"sha256:").decode() != hashlib.sha256(body).hexdigest():
            self.add(f"{tag}: the bytes are not those of {digest!r}")
        identity = head.get(b"target-version", b""), digest
        if self._digests.setdefault(tag, identity) != identity:
            self.add(f"{tag}: {identity} after {self._digests[tag]}")

    def add(self, text: str) -> None:
        """Add a wrong answer."""
        if len(self.wrong) < MAX_WRONG:
            self.wrong.append(text)


class Build:
    """A connection that sends the next request once the last one is answered."""

    def __init__(
        self, node: Node, tags: Iterator[str], answers: Answers, checker: Checker, loop: Selector
    ) -> None:
        self._node, self._tags, self._loop = node, tags, loop
        self._answers, self._checker = answers, checker
        self._socket: socket.socket | None = None
        self._received = bytearray()
        self._head: dict[bytes, bytes] = {}
        self._missing = -1  # bytes of the body; negative while the head is incomplete
        self._tag, self._status = "", 0
        self.sent = 0.0
        self.pause_until = 0.0  # after a failure; 0 while a request is under way

    def send(self) -> None:
        """Send the next request, on a new connection if there is none."""
        self._tag, self.sent, self.pause_until = next(self._tags), time.monotonic(), 0
        self._received.clear()
        self._missing = -1
        try:
            if self._socket is None:
                self._socket = socket.create_connection(("127.0.0.1", self._node.port), timeout=1)
                self._loop.register(self._socket, selectors.EVENT_READ, self)
            self._socket.sendall(REQUEST.format(self._tag).encode())
        except OSError:
            self.fail()

    def receive(self) -> None:
        """Receive what has arrived; send the next request if that was the rest of an answer."""
        assert self._socket
        try:
            received = self._socket.recv(RECEIVED)
        except OSError:
            received = b""
        if not received:
            self.fail()
            return
        self._received += received
        if self._missing < 0:
            self._read_head()
        if 0 <= self._missing <= len(self._received):
            self._finish()

    def fail(self) -> None:
        """Give the request up, and its connection."""
        if self._socket:
            if self._socket in self._loop.get_map():
                self._loop.unregister(self._socket)
            self._socket.close()
            self._socket = None
        self._record(0)

    def _read_head(self) -> None:
        head, end, body = self._received.partition(b"\r\n\r\n")
        if end:
            self._status = int(head[9:12])
            self._head = {name.lower(): value for name, value in HEADER.findall(bytes(head))}
            self._missing = int(self._head.get(b"content-length", b"0"))
            self._received = bytearray(body)

    def _finish(self) -> None:
        self._record(self._status)
        if self._status == 200:
            self._checker.check(self._tag, self._head, bytes(self._received))
            self.send()
        elif self._status != 503:
            self._checker.add(f"{self._tag}: {self._status}")

    def _record(self, status: int) -> None:
        now = time.monotonic()
        self._answers.add(now, now - self.sent, status, self._node.number)
        self.pause_until = now + PAUSE


def draw(tags: list[str], seed: int) -> Iterator[str]:
    """Yield tags for ever; the one of rank r 1 / r times as often as the first."""
    rng = random.Random(seed)
    weights = list(accumulate(1 / rank**EXPONENT for rank in range(1, len(tags) + 1)))
    while True:
        yield from rng.choices(tags, cum_weights=weights, k=DRAWN)


def resolve_until_closed(source: IO[str], builds: list[Build], loop: Selector) -> None:
    """Let builds send and receive until a file is closed by whoever writes it."""
    loop.register(source, selectors.EVENT_READ)
    for build in builds:
        build.send()
    while True:
        for key, _ in loop.select(PAUSE):
            if key.data is None:
                return
            key.data.receive()
        now = time.monotonic()
        for build in builds:
            if not build.pause_until and build.sent < now - TIMEOUT:
                build.fail()
            if build.pause_until and build.pause_until < now:
                build.send()


def main() -> None:
    """Resolve until standard input is closed, then write what was answered."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    folder, seed, connections = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    nodes = [Node(number, int(port)) for number, port in enumerate(sys.argv[4:])]
    tags = draw((folder / TAGS).read_text().splitlines(), seed)
    answers, checker, loop = Answers(), Checker(), selectors.DefaultSelector()
    builds = [
        Build(nodes[number % len(nodes)], tags, answers, checker, loop)
        for number in range(connections)
    ]
    resolve_until_closed(sys.stdin, builds, loop)
    answers.write(folder / ANSWERS)
    (folder / WRONG).write_text(json.dumps(checker.wrong))


if __name__ == "__main__":
    main()
