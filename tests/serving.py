"""Runs the production server in a separate process, with a SQLite database."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType

from tests.built_once import built_once, digest_of
from tests.databases import FILE, ROOT, copy_sqlite
from tests.patience import PATIENCE

LLVM = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}


@dataclass(frozen=True)
class Server:
    """A running server: its port, its process and its log."""

    port: int
    pid: int
    log: Path

    def lines(self, logger: str = "registry.access") -> list[dict[str, object]]:
        """Return the lines of a logger. Requires REGISTRY_LOG=json."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["logger"] == logger]


@contextmanager
def run_server(
    var: Path,
    variables: Mapping[str, str] = MappingProxyType({}),
    *,
    workers: int = 1,
    loaded: bool = False,
    log: Path | None = None,
) -> Iterator[Server]:
    """Run the server as `make serve` does, on the database in `var`.

    If there is none, creates one, with the shipped catalogue if `loaded`. The log is in `var`,
    unless stated otherwise.
    """
    environment = environment_of(var) | dict(variables)
    if not (var / FILE).exists():
        copy_sqlite(var / FILE, loaded=loaded)
    if not (var / "static").exists():
        shutil.copytree(static_files(), var / "static")
    port, log = free_port(), log or var / "log"
    environment.setdefault("REGISTRY_ADDRESS", f"http://127.0.0.1:{port}")
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [*command, "--workers", str(workers)],
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
            process.wait(timeout=PATIENCE)


@cache
def static_files() -> Path:
    """Return the folder of the collected static files, which all processes of a run share."""
    folders = (ROOT / "static", ROOT / "docs/drawings")
    sources = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    sources += [ROOT / "requirements.txt", ROOT / "registry/settings.py"]
    return built_once("static", digest_of(sources), _collect_static_files)


def _collect_static_files(folder: Path) -> None:
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment_of(folder.parent), check=True)


def environment_of(var: Path) -> dict[str, str]:
    """Return the environment of a server with a SQLite database in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return environment | {"REGISTRY_VAR": str(var), "DJANGO_SETTINGS_MODULE": "registry.settings"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if send_request(port, "GET", "/healthz").status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"no response on port {port} within {PATIENCE} s")


@dataclass(frozen=True)
class Response:
    status: int
    length: int
    body: bytes

    @property
    def code(self) -> str:
        code: str = json.loads(self.body)["code"]
        return code


def send_request(
    port: int, method: str, path: str, body: bytes | None = None, **headers: str
) -> Response:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return Response(
            response.status, int(response.headers["Content-Length"] or 0), response.read()
        )


def send_raw(port: int, *lines: str, hosts: Sequence[str] = ("localhost",)) -> bytes:
    """Send the lines of a request's head verbatim, as Latin-1; return the response."""
    host_lines = [f"Host: {host}" for host in hosts]
    head = "\r\n".join([*lines, *host_lines, "Connection: close", "", ""])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode("latin-1"))
        return connection.makefile("rb").read()


def create_token(environment: Mapping[str, str], *scopes: str) -> str:
    """Create an account with the namespace acme in a server's database; return a token.

    Without scopes, it has those that `bootstrap` chooses. Nobody can sign in with the password.
    """
    options = ["--scopes", *scopes] if scopes else []
    command = [sys.executable, "manage.py", "bootstrap", "alice", "acme", *options]
    weak = {**environment, "DJANGO_SETTINGS_MODULE": "tests.weak_passwords"}
    done = subprocess.run(command, cwd=ROOT, env=weak, capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def publish(server: Server, token: str, tag: str) -> tuple[int, str]:
    """Publish the first version of a tag; return the status, and the code of an error."""
    body = json.dumps({"target": LLVM, "message": "", "sources": []}).encode()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "If-None-Match": "*",
    }
    response = send_request(server.port, "POST", f"/api/v1/versions/{tag}", body, **headers)
    return response.status, response.code if response.status >= 400 else ""


def wait_until_ready(server: Server) -> None:
    """Wait until the server has recovered from a fault."""
    deadline = time.monotonic() + PATIENCE
    while send_request(server.port, "GET", "/readyz").status != 200:
        assert time.monotonic() < deadline, "it did not recover"
        time.sleep(0.2)
