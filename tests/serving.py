"""The shipped server in a process of its own, over a SQLite database."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from tests.databases import FILE, ROOT, copy_sqlite

START = 60  # seconds; it takes two where nothing else runs


@dataclass(frozen=True)
class Server:
    """A running server: its port, its process and its log."""

    port: int
    pid: int
    log: Path

    def lines(self, logger: str = "registry.access") -> list[dict[str, object]]:
        """The log of a server with REGISTRY_LOG=json."""
        found = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in found if line["logger"] == logger]


@contextmanager
def served(
    var: Path,
    variables: Mapping[str, str] = MappingProxyType({}),
    *,
    workers: int = 1,
    loaded: bool = False,
) -> Iterator[Server]:
    """Granian, as `make serve` starts it, on the database in `var`.

    Without one, on a new database, with the shipped catalogue if `loaded`.
    """
    environment = environment_of(var) | dict(variables)
    if not (var / FILE).exists():
        copy_sqlite(var / FILE, loaded=loaded)
    shutil.copytree(static_files(), var / "static")
    port, log = free_port(), var / "log"
    granian = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--no-ws"]
    granian += ["--port", str(port), "--workers", str(workers), "--blocking-threads", "4"]
    granian += ["--respawn-failed-workers", "--respawn-interval", "0.1"]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [*granian, "registry.wsgi:application"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
        try:
            wait_for(port)
            yield Server(port, process.pid, log)
        finally:
            process.terminate()
            process.wait(timeout=START)


@cache
def static_files() -> Path:
    """Return the folder in which the static files were collected, once a run."""
    folder = Path(_scratch().name)
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment_of(folder), check=True)
    return folder / "static"


@cache
def _scratch() -> "TemporaryDirectory[str]":
    """Return a folder that goes when the process ends."""
    return TemporaryDirectory(prefix="registry-static-")


def environment_of(var: Path) -> dict[str, str]:
    """Return the environment of a server that keeps its SQLite database in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return environment | {"REGISTRY_VAR": str(var), "DJANGO_SETTINGS_MODULE": "registry.settings"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        try:
            if ask(port, "GET", "/healthz").status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"no answer on port {port} within {START} s")


@dataclass(frozen=True)
class Answer:
    status: int
    length: int
    body: bytes

    @property
    def code(self) -> str:
        found: str = json.loads(self.body)["code"]
        return found


def ask(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return Answer(
            response.status, int(response.headers["Content-Length"] or 0), response.read()
        )


def said(port: int, *lines: str) -> bytes:
    """The answer to a request as it stands, header by header, without a body."""
    head = "\r\n".join([*lines, "Host: localhost", "Connection: close", "", ""])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head.encode("latin-1"))
        return connection.makefile("rb").read()
