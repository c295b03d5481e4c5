"""Idle connections: a network has its share of them; whoever runs a request is left alone."""

import fcntl
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from registry.server import idle_connections
from registry.server.idle_connections import MAX_OF_NETWORK, IdleConnections, share_of_network

SHARE = 5


class Party(NamedTuple):
    """A client's end of a connection, and ours."""

    client: socket.socket
    ours: socket.socket

    @property
    def name(self) -> str:
        address, port = self.client.getsockname()[:2]
        return f"{address}:{port}"

    def is_open(self) -> bool:
        """Return whether the client's connection goes on."""
        self.client.setblocking(False)
        try:
            return self.client.recv(1) != b""
        except BlockingIOError:
            return True


class Listener:
    """A server that accepts connections from addresses of this machine."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._socket = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

    def connect(self, address: str = "127.0.0.2") -> Party:
        source, port = (address, 0), self._socket.getsockname()[1]
        client = socket.create_connection(("127.0.0.1", port), source_address=source)
        ours, _ = self._socket.accept()
        return Party(self._stack.enter_context(client), self._stack.enter_context(ours))


@pytest.fixture
def listener() -> Iterator[Listener]:
    with ExitStack() as stack:
        yield Listener(stack)


def test_network_keeps_its_share(listener: Listener) -> None:
    parties = [listener.connect() for _ in range(SHARE + 3)]
    guard = IdleConnections(SHARE)
    assert guard.end_surplus() == 3
    assert sum(party.is_open() for party in parties) == SHARE
    for party in parties:
        if not party.is_open():
            party.ours.close()  # as the server does
    assert guard.end_surplus() == 0


def test_share_is_that_of_each_network(listener: Listener) -> None:
    parties = [listener.connect(f"127.0.0.{n}") for n in (2, 3) for _ in range(SHARE)]
    assert IdleConnections(SHARE).end_surplus() == 0
    assert all(party.is_open() for party in parties)


def test_connection_with_a_running_request_is_left_alone(listener: Listener) -> None:
    parties = [listener.connect() for _ in range(SHARE + 3)]
    guard = IdleConnections(SHARE)
    with ExitStack() as requests:
        for party in parties[-4:]:
            requests.enter_context(guard.busy(party.name))
        assert guard.end_surplus() == 0
    assert guard.end_surplus() == 3


def test_address_of_ipv6_is_known_in_both_forms() -> None:
    guard = IdleConnections(SHARE)
    with ExitStack() as stack:
        try:
            server = socket.create_server(("::1", 0), family=socket.AF_INET6)
        except OSError:
            pytest.skip("not available: IPv6")
        stack.enter_context(server)
        for _ in range(SHARE + 1):
            client = socket.create_connection(server.getsockname()[:2])
            stack.enter_context(client)
            stack.enter_context(server.accept()[0])
        with guard.busy(f"[::1]:{client.getsockname()[1]}"):
            assert guard.end_surplus() == 0
        assert guard.end_surplus() == 1


def test_own_connections_to_others_are_left_alone(listener: Listener) -> None:
    """Such as those to the database: nobody listens at their port here."""
    parties = [listener.connect() for _ in range(SHARE + 3)]
    guard = IdleConnections(0)
    guard.end_surplus()
    for party in parties:
        party.client.getpeername()
        party.client.sendall(b"x")
        with pytest.raises(OSError, match=r"\d"):
            party.ours.sendall(b"x")


def test_files_that_are_no_connections_are_left_alone(listener: Listener) -> None:
    reader, writer = os.pipe()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ours, other = socket.socketpair()
    with ours, other, datagrams:
        IdleConnections(0).end_surplus()
        os.write(writer, b"x")
        other.sendall(b"x")
        assert (os.read(reader, 1), ours.recv(1)) == (b"x", b"x")
    os.close(reader)
    os.close(writer)
    assert listener.connect().is_open()


def test_locks_on_a_database_stay(tmp_path: Path) -> None:
    """POSIX ends all locks of a process on a file when it closes any copy of it."""
    with (tmp_path / "database").open("w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        IdleConnections(0).end_surplus()
        code = (
            f"import fcntl; fcntl.lockf(open({file.name!r}, 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        )
        other = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, check=False)
        assert b"BlockingIOError" in other.stderr


def test_few_files_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_connections, "_sockets", lambda: pytest.fail("it looked"))
    assert IdleConnections(MAX_OF_NETWORK).end_surplus() == 0


@pytest.mark.parametrize(
    ("files", "share"), [(resource.RLIM_INFINITY, 1024), (20_000, 1024), (1024, 256)]
)
def test_share_is_smaller_where_files_are_few(
    monkeypatch: pytest.MonkeyPatch, files: int, share: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert share_of_network() == share
