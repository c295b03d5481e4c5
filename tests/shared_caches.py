"""The caches of docs/operating, in front of a registry on this machine."""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.compilers.tools import tool
from tests.databases import FILE, copy_sqlite
from tests.nginx import write_configuration
from tests.patience import PATIENCE
from tests.serving import (
    LLVM,
    ROOT,
    Server,
    create_token,
    environment_of,
    free_port,
    run_server,
    send_request,
    wait_for,
)
from tests.working import run_worker, wait_until

REGISTRY = ("192.0.2.11", "8000")
FOLDER = ROOT / "docs/operating"
KEPT = {"HIT"}  # what a cache says of an answer that it has kept


def adapted(name: str, changes: Mapping[str, str]) -> str:
    """Return the text of a file of docs/operating, with the values of this machine."""
    text = (FOLDER / name).read_text()
    for value, own in changes.items():
        assert value in text
        text = text.replace(value, own)
    return text


@contextmanager
def nginx_cache(folder: Path, registry: int) -> Iterator[int]:
    """Run nginx as a cache in front of the port of a registry; yield its port."""
    program, port = tool("nginx", folders="/usr/sbin"), free_port()
    folder.chmod(0o755)  # its workers run as another user
    changes = {
        "192.0.2.10:80": f"127.0.0.1:{port}",
        "192.0.2.11:8000": f"127.0.0.1:{registry}",
        "/var/cache/nginx/target-tag-registry": str(folder / "answers"),
    }
    config = write_configuration(folder, adapted("nginx-cache.conf", changes))
    with running([program, "-e", f"{folder}/log", "-c", str(config), "-g", "daemon off;"], port):
        yield port


@contextmanager
def varnish(folder: Path, registry: int) -> Iterator[int]:
    """Run Varnish in front of the port of a registry; yield its port. This machine may purge."""
    program, port = tool("varnishd", folders="/usr/sbin"), free_port()
    if not any(Path("/usr/lib").glob("*/varnish/vmods/libvmod_xkey.so")):
        pytest.skip("not installed: varnish-modules")
    host, registry_port = REGISTRY
    changes = {f'.port = "{registry_port}"': f'.port = "{registry}"', host: "127.0.0.1"}
    config = folder / "cache.vcl"
    config.write_text(adapted("cache.vcl", changes))
    command = [program, "-F", "-j", "none", "-n", str(folder / "varnish"), "-f", str(config)]
    with running([*command, "-a", f"127.0.0.1:{port}", "-s", "malloc,64m"], port):
        yield port


CACHES: Mapping[str, Callable[[Path, int], AbstractContextManager[int]]] = {
    "nginx": nginx_cache,
    "Varnish": varnish,
}


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """Run a server until the end of the block, from when it listens on a port."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def cache(self) -> str:
        """Return what the cache did."""
        return str(self.headers["X-Cache"] or "")

    @property
    def version(self) -> str:
        return str(self.headers["Target-Version"])


@dataclass(frozen=True)
class Site:
    """A registry behind a cache."""

    server: Server
    port: int
    token: str

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, headers=named)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

    def publish(self, tag: str, cores: int, after: str = "") -> None:
        condition = {"If-Match": f'"{after}"'} if after else {"If-None-Match": "*"}
        body = {"target": LLVM | {"num-cores": cores}, "message": "", "sources": []}
        self.post(f"versions/{tag}", body, **condition)

    def yank(self, exact: str) -> None:
        self.post(f"yank/{exact}", {"reason": "It has two cores"})

    def post(self, path: str, body: object, **headers: str) -> None:
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        text = json.dumps(body).encode()
        answer = send_request(self.server.port, "POST", f"/api/v1/{path}", text, **headers)
        assert answer.status in {200, 201}, answer.body

    def kept(self, path: str) -> Answer:
        """Return an answer that the cache has kept."""
        self.get(path)
        answer = self.get(path)
        assert answer.cache in KEPT, path
        return answer


@contextmanager
def site(var: Path, name: str, *, seconds: int, is_purged: bool = False) -> Iterator[Site]:
    """Run a registry behind a cache, and the worker that purges it."""
    copy_sqlite(var / FILE, loaded=True)
    variables = {"REGISTRY_SHARED_CACHE": str(seconds), "REGISTRY_RATE_ACCOUNT": "none"}
    with ExitStack() as stack:
        server = stack.enter_context(run_server(var, variables))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        port = stack.enter_context(CACHES[name](folder, server.port))
        if is_purged:
            variables["REGISTRY_PURGE_URL"] = f"http://127.0.0.1:{port}/"
            stack.enter_context(run_worker(var, variables))
        token = create_token(environment_of(var), "publish", "yank")
        yield Site(server, port, token)


def stop(server: Server) -> None:
    """End a server before its time."""
    os.kill(server.pid, signal.SIGTERM)
    wait_until(lambda: not is_listening(server.port), "the end of the server")


def is_listening(port: int) -> bool:
    try:
        return send_request(port, "GET", "/healthz").status == 200
    except OSError:
        return False
