"""Which commands ask the registry itself, past the caches in front of it, and which do not."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.client.conftest import Ttag
from tests.client.scripted_server import ScriptedServer, response
from ttag.errors import Unreachable
from ttag.http.fetching import Fetcher
from ttag.http.transport import Transport
from ttag.settings import Settings
from ttag.sources import Sources

TAG, OTHER = "nvidia/jetson-nano:cuda", "arm/soc:aot"
FULL_TILE = re.compile(r"/log/tile/[a-z0-9/]+$")
PASSED_ON = ("Accept", "Content-Type", "If-None-Match")


@dataclass
class Cache:
    """A cache in front of a registry that keeps nothing, and notes what it is asked for."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)  # path, and `Cache-Control`

    def directives(self) -> set[str]:
        """Return what the requests say about caches. Full tiles of the log never change."""
        assert self.asked
        return {wish for path, wish in self.asked if not FULL_TILE.search(path)}


@pytest.fixture
def cache(registry: str) -> Iterator[Cache]:
    class Handler(BaseHTTPRequestHandler):
        def pass_on(self) -> None:
            front.asked.append((self.path, self.headers["Cache-Control"] or ""))
            headers = {name: self.headers[name] for name in PASSED_ON if self.headers[name]}
            body = self.rfile.read(int(self.headers["Content-Length"] or 0)) or None
            request = Request(f"{registry}{self.path}", body, headers, method=self.command)  # noqa: S310 - on this machine
            try:
                answer = urlopen(request)  # noqa: S310 - on this machine
            except HTTPError as error:
                answer = error
            with answer:
                content = answer.read()
            self.send_response(answer.status)
            for name in ("Content-Type", "ETag", "Cache-Control"):
                if value := answer.headers[name]:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = pass_on  # noqa: N815 - the names of the library

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        front = Cache(f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, daemon=True).start()
        yield front
        server.shutdown()


def run(ttag: Ttag, cache: Cache, folder: Path, *arguments: str) -> set[str]:
    """Run a command behind the cache; return what its requests say about caches."""
    cache.asked.clear()
    done = ttag(*arguments, directory=folder, TTAG_REGISTRY=cache.address)
    assert done.code == 0, done.err
    return cache.directives()


@pytest.mark.parametrize("references", [[TAG], [TAG, OTHER]])
def test_lock_check_and_sync_ask_the_registry_itself(
    ttag: Ttag, cache: Cache, tmp_path: Path, references: list[str]
) -> None:
    assert run(ttag, cache, tmp_path, "lock", *references, "--format", "clang") == {"no-cache"}
    paths = [path for path, _ in cache.asked]
    assert any("/log/checkpoint" in path for path in paths)
    assert run(ttag, cache, tmp_path, "check") == {"no-cache"}
    assert run(ttag, cache, tmp_path, "check", "--outdated") == {"no-cache"}
    assert run(ttag, cache, tmp_path, "sync") == {"no-cache"}
    assert run(ttag, cache, tmp_path, "sync", "--dry-run") == {"no-cache"}


def test_what_never_changes_may_come_from_a_cache(server: ScriptedServer) -> None:
    server.responses = [response({})]
    fetcher = Fetcher(Transport(server.address, no_cache=True))
    fetcher.get("/api/v1/log/tile/0/000", is_immutable=True)
    fetcher.get("/api/v1/log/checkpoint")
    assert ["no-cache" in request for request in server.requests] == [False, True]


@pytest.mark.parametrize("is_asked_itself", [True, False])
def test_mirror_on_a_web_server_is_asked_as_a_registry_is(
    server: ScriptedServer, tmp_path: Path, is_asked_itself: bool
) -> None:
    address = f"mirror+{server.address}"
    server.responses = [response("no overview")]
    source = Sources(Settings(cache=tmp_path), no_cache=is_asked_itself).source(address)
    with pytest.raises(Unreachable):
        source.resolve(TAG)
    assert ["no-cache" in request for request in server.requests] == [is_asked_itself]


@pytest.mark.parametrize(
    "command",
    [
        ["resolve", TAG],
        ["resolve", TAG, OTHER],
        ["resolve", TAG, "--format", "clang"],
        ["explain", TAG],
        ["show", TAG],
        ["search", "jetson"],
        ["versions", TAG],
    ],
)
def test_other_commands_take_what_caches_have(
    ttag: Ttag, cache: Cache, tmp_path: Path, command: list[str]
) -> None:
    assert run(ttag, cache, tmp_path, *command) == {""}


def test_builds_with_a_lock_take_what_caches_have(ttag: Ttag, cache: Cache, tmp_path: Path) -> None:
    run(ttag, cache, tmp_path, "lock", TAG)
    assert run(ttag, cache, tmp_path, "resolve", TAG, "--format", "clang") == {""}
