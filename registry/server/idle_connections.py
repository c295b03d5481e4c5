"""Bounds the idle connections of one network, so that others can always connect.

granian accepts connections before Python sees a request, and tells nobody of those that wait. So a
thread looks at the sockets of this process, and ends what a network has beyond its share.
"""

from __future__ import annotations

import os
import resource
import socket
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from registry.http.limiter import network

FILES = Path("/proc/self/fd")  # of Linux
MAX_OF_NETWORK = 1024  # idle connections: a quarter of those of a process
INTERVAL = 1  # second between two looks; one at 4,096 connections takes 50 ms


class Connection(NamedTuple):
    """A socket of this process that is connected, or listens."""

    file: int
    port: int  # of this side
    client: str  # address and port of the other; empty if it listens


def share_of_network() -> int:
    """Return how many idle connections a network may have: fewer, if files are few."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_OF_NETWORK if files == resource.RLIM_INFINITY else min(MAX_OF_NETWORK, files // 4)


class IdleConnections:
    """The connections of this process without a running request."""

    def __init__(self, max_of_network: int) -> None:
        self._max_of_network = max_of_network
        self._busy: set[str] = set()  # clients; only the event loop changes it

    @contextmanager
    def busy(self, client: str) -> Iterator[None]:
        """Leave the connection of a client alone for the duration of its request."""
        name = client.replace("[", "").replace("]", "")  # of an IPv6 address
        self._busy.add(name)
        try:
            yield
        finally:
            self._busy.discard(name)

    def start(self) -> None:
        """Start the thread that ends surplus connections, until the process ends."""
        threading.Thread(target=self._run, name="idle-connections").start()

    def _run(self) -> None:
        main = threading.main_thread()
        while main.is_alive():
            with suppress(OSError):  # no file is free for a look
                self.end_surplus()
            main.join(INTERVAL)

    # Decision 161: a proxy can bound connections, but not every registry has one.
    def end_surplus(self) -> int:
        """End idle connections of networks that have too many; return their number."""
        if sum(1 for _ in FILES.iterdir()) <= self._max_of_network:
            return 0
        sockets = list(_sockets())
        listening = {each.port for each in sockets if not each.client}
        accepted = [each for each in sockets if each.client and each.port in listening]
        idle = [each for each in accepted if each.client not in self._busy]
        counts, ended = Counter[str](), 0
        for each in idle:
            of_network = network(each.client.rpartition(":")[0])
            counts[of_network] += 1
            if counts[of_network] > self._max_of_network:
                ended += _end(each)
        return ended


def _sockets() -> Iterator[Connection]:
    for name in os.listdir(FILES):  # noqa: PTH208 - a path for each costs more than all of the rest
        with suppress(OSError):
            if connection := _describe(int(name)):
                yield connection


def _describe(file: int) -> Connection | None:
    """Return what a file is connected to; None if it is no socket of TCP. Raises `OSError`."""
    if not stat.S_ISSOCK(os.fstat(file).st_mode):
        return None
    view = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, fileno=file)  # or that of IPv4
    try:
        ours = view.getsockname()
        if not isinstance(ours, tuple):
            return None
        if view.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return Connection(file, ours[1], "")
        address, port = view.getpeername()[:2]
        return Connection(file, ours[1], f"{address}:{port}")
    finally:
        view.detach()


def _end(connection: Connection) -> bool:
    """Shut a connection, unless it has ended by now.

    The copy stays the same connection, even if granian closes the file and its number is reused.
    """
    with suppress(OSError):
        copied = os.dup(connection.file)
        # To close a copy of a database's file would end all of SQLite's locks on it, and lose data
        # (https://www.sqlite.org/howtocorrupt.html, 2.2). If it is one by now, it stays open.
        if _describe(copied) == connection._replace(file=copied):
            with socket.socket(fileno=copied) as copy:
                copy.shutdown(socket.SHUT_RDWR)
                return True
    return False
