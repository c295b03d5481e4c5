"""A cache that is purged by keys, as far as the registry sees it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass
class PurgedCache:
    """What a cache was asked to forget: the keys of each request, in order."""

    url: str = ""
    status: int = 200
    purges: list[list[str]] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)  # of the purges, on the monotonic clock
    is_slow: Event = field(default_factory=Event)  # answers without end, a byte a second
    is_over: Event = field(default_factory=Event)

    def keys(self) -> set[str]:
        return {key for purge in self.purges for key in purge}


@contextmanager
def run_purged_cache() -> Iterator[PurgedCache]:
    """Run a cache until the end of the block."""
    cache = PurgedCache()

    class Handler(BaseHTTPRequestHandler):
        def do_PURGE(self) -> None:
            while cache.is_slow.is_set() and not cache.is_over.wait(1):
                self.wfile.write(b"H")
            cache.moments.append(time.monotonic())
            cache.purges.append(self.headers["Surrogate-Key"].split())
            self.send_response(cache.status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        cache.url = f"http://127.0.0.1:{server.server_port}/"
        Thread(target=server.serve_forever, daemon=True).start()
        yield cache
        cache.is_over.set()
        server.shutdown()
