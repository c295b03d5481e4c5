"""Temporary registries and servers for the benchmarks, deleted afterwards."""

# ruff: noqa: S603 - runs only commands of the project, nginx and wrk, with fixed arguments

from __future__ import annotations

import base64
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

WITHOUT_MEMORY = {"REGISTRY_RESPONSE_MEMORY": "0"}  # Django answers every request


@contextmanager
def sqlite() -> Iterator[Environment]:
    """Yield the environment variables of an empty, migrated registry on SQLite."""
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-") as folder:
        environment = {**os.environ, "REGISTRY_VAR": folder}
        environment.pop("DATABASE_URL", None)
        run_manage(environment, "migrate", "--verbosity", "0")
        yield environment


@contextmanager
def postgresql() -> Iterator[Environment]:
    """Yield the same for a temporary PostgreSQL server, which runs without fsync."""
    with postgres() as url, tempfile.TemporaryDirectory(prefix="registry-benchmark-") as folder:
        environment = {**os.environ, "REGISTRY_VAR": folder, "DATABASE_URL": url}
        environment.setdefault("SECRET_KEY", "key of a temporary benchmark registry")
        environment.setdefault("REGISTRY_LOG_KEY", base64.b64encode(bytes(32)).decode())
        run_manage(environment, "migrate", "--verbosity", "0")
        yield environment


DATABASES: dict[str, Callable[[], AbstractContextManager[Environment]]] = {
    "SQLite": sqlite,
    "PostgreSQL": postgresql,
}


def run_manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run manage.py and return its output."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def find_programs(**packages: str) -> dict[str, str]:
    """Return the paths of programs by name. Exit with an install command if any is missing."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"  # where Debian puts servers
    paths = {name: shutil.which(name, path=path) for name in packages}
    missing = [packages[name] for name, program in paths.items() if program is None]
    if missing:
        sys.exit(f"Missing: {', '.join(missing)}. On Debian: apt-get install {' '.join(missing)}")
    return {name: program for name, program in paths.items() if program}


def free_port() -> int:
    """Return an unused port on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def shipped_server(environment: Environment, path: str = "/healthz") -> Iterator[int]:
    """Run the registry as `make serve` does, until it responds to a path, and yield its port."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with server(command, port, path, environment):
        yield port


@contextmanager
def server(
    command: list[str], port: int, path: str, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run a server on loopback for the duration of the block, once it responds to `path`."""
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # one line per request
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
            if fetch(port, path)[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{Path(process.args[0]).name} does not respond on port {port}")  # type: ignore[index, arg-type] # args is a list


def fetch(port: int, path: str) -> tuple[int, HTTPMessage, bytes]:
    """Send a GET request; return status, headers and body."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def print_line(line: str = "") -> None:
    """Print a line of the results."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
