"""Registries to measure: each in a temporary folder or database, gone afterwards."""

# ruff: noqa: S603 - runs the project's own commands, nginx and wrk, with arguments of its own

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

from tests.postgres import postgres

START = 30  # seconds; servers take two

Environment = dict[str, str]


@contextmanager
def sqlite() -> Iterator[Environment]:
    """The environment of processes that use an empty, migrated registry on SQLite."""
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-") as folder:
        environment = {**os.environ, "REGISTRY_VAR": folder}
        environment.pop("DATABASE_URL", None)
        manage(environment, "migrate", "--verbosity", "0")
        yield environment


@contextmanager
def postgresql() -> Iterator[Environment]:
    """The same on a PostgreSQL that lives as long. It does not wait for the disk (see there)."""
    with postgres() as url, tempfile.TemporaryDirectory(prefix="registry-benchmark-") as folder:
        environment = {**os.environ, "REGISTRY_VAR": folder, "DATABASE_URL": url}
        environment.setdefault("SECRET_KEY", "of a registry that lives for one measurement")
        manage(environment, "migrate", "--verbosity", "0")
        yield environment


DATABASES: dict[str, Callable[[], AbstractContextManager[Environment]]] = {
    "SQLite": sqlite,
    "PostgreSQL": postgresql,
}


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run manage.py; what it wrote."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def programs(**packages: str) -> dict[str, str]:
    """Where programs are, by name; ends the benchmark with how to install those that are not."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"  # where Debian puts servers
    found = {name: shutil.which(name, path=path) for name in packages}
    missing = [packages[name] for name, where in found.items() if where is None]
    if missing:
        sys.exit(f"Missing: {', '.join(missing)}. On Debian: apt-get install {' '.join(missing)}")
    return {name: where for name, where in found.items() if where}


def free_port() -> int:
    """A port of loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(
    command: list[str], port: int, path: str, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """A server that answers `path` on a port of loopback, and ends with the block."""
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # a line for each request
    )
    try:
        _wait_for(process, port, path)
        yield
    finally:
        process.terminate()
        process.wait(timeout=START)


def _wait_for(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if get(port, path)[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{Path(process.args[0]).name} does not answer on port {port}")  # type: ignore[index, arg-type] # a list of text


def get(port: int, path: str) -> tuple[int, HTTPMessage, bytes]:
    """Status, headers and body of one answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def say(line: str = "") -> None:
    """Write a line of the result."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
