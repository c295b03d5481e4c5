"""What goes on beside the builds: publications, readers of pages, slow mail, a slow issuer.

Each is a function that runs in a thread until it is told to stop. They share nodes and a journal.
"""

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count, cycle
from threading import Event, Lock, Thread
from urllib.parse import urlencode

import jwt

from tests.issuers import RSA_KEY
from tests.stress.clients import VERSIONS_PER_TAG, Writer, new_target, resolve
from tests.stress.connection import Connection
from tests.stress.records import Journal

PUBLICATIONS = 10  # a second, of all publishers
READERS = 8
WATCHERS = 2  # for each node
WATCHED = 5  # of the tags published last
LOOK_INTERVAL = 0.05  # seconds between two looks of a watcher
SIGN_UP_INTERVAL = 4  # seconds; an address may sign up 20 times a minute
EXCHANGE_INTERVAL = 0.5
READ_TIMEOUT = 60
READER = "127.0.0.2"  # the address of all readers, which no other client shares
PASSWORD = "correct horse battery"
PAGES = (
    *("/kinds/llvm", "/kinds/cuda", "/tags/", "/tags/?q=nvidia", "/namespaces/"),
    *(
        "/tags/?where=num-cores%3E%3D8",
        "/tags/?kind=llvm&sort=memory",
        "/api/v1/tags?where=keys%3Dcpu",
    ),
)


@dataclass
class Crowd:
    """The clients of some nodes, besides builds, and what they have done so far.

    Watchers look at the nodes of builds, `watched`; everything else goes to `ports`.
    """

    watched: list[int]
    ports: list[int]
    token: str
    issuer: str
    journal: Journal
    done: Counter[str] = field(default_factory=Counter)
    published: list[str] = field(default_factory=list)  # tags, in the order of their first version
    numbers: Iterator[int] = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)

    def add(self, what: str) -> None:
        """Count something that was done."""
        with self._lock:
            self.done[what] += 1

    @contextmanager
    def disturb(self) -> Iterator[None]:
        """Run all clients during a block."""
        stop = Event()
        jobs: list[Callable[[Event], None]] = [
            *(partial(publish, self, port) for port in self.ports),
            *(partial(read, self, port, path) for port, path in self._readers()),
            *(partial(watch, self, port) for port in self.watched * WATCHERS),
            *(partial(sign_up, self, port) for port in self.ports[:1]),
            *(partial(exchange, self, port) for port in self.ports[-1:]),
        ]
        threads = [Thread(target=job, args=(stop,)) for job in jobs]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def _readers(self) -> list[tuple[int, str]]:
        return list(zip(cycle(self.ports), [*PAGES[:READERS]], strict=False))


def publish(crowd: Crowd, port: int, stop: Event) -> None:
    """Publish versions of new tags at a steady pace, as many as it takes to be on time."""
    name = f"crowd-{next(crowd.numbers)}"
    rng, start = random.Random(name), time.monotonic()
    writer = Writer(crowd.journal, port, crowd.token, name)
    interval = len(crowd.ports) / PUBLICATIONS
    for number in count():
        if stop.wait(max(0, start + number * interval - time.monotonic())):
            return
        tag = f"stress/{name}-{number // VERSIONS_PER_TAG}"
        target = new_target(rng, f"{name}-{number}")
        if writer.publish(tag, target, target):
            crowd.add("publications")
            if tag not in crowd.published:
                crowd.published.append(tag)


def watch(crowd: Crowd, port: int, stop: Event) -> None:
    """Resolve the tags that were published last, and note every answer in the journal."""
    name = f"watcher-{next(crowd.numbers)}"
    rng, connection = random.Random(name), Connection(port, timeout=READ_TIMEOUT)
    while not stop.wait(LOOK_INTERVAL):
        if crowd.published:
            tag = rng.choice(crowd.published[-WATCHED:])
            crowd.journal.write(resolve(connection, name, tag, as_target=True))
            crowd.add("looks")


def read(crowd: Crowd, port: int, path: str, stop: Event) -> None:
    """Load a page again and again."""
    connection = Connection(port, timeout=READ_TIMEOUT, address=READER)
    while not stop.is_set():
        status = connection.get(path).status
        crowd.add("pages" if status == 200 else "pages refused")
        if status != 200:
            stop.wait(LOOK_INTERVAL)


def sign_up(crowd: Crowd, port: int, stop: Event) -> None:
    """Sign up, which queues a mail."""
    while not stop.wait(SIGN_UP_INTERVAL):
        name = f"person-{next(crowd.numbers)}"
        fields = {"username": name, "email": f"{name}@example.org"}
        is_done = post_form(
            port, "/accounts/signup/", fields | {"password1": PASSWORD, "password2": PASSWORD}
        )
        crowd.add("sign-ups" if is_done else "sign-ups refused")


def post_form(port: int, path: str, fields: dict[str, str]) -> bool:
    """Fill in a form as a browser does; return whether that led to another page."""
    http = HTTPConnection("127.0.0.1", port, timeout=READ_TIMEOUT)
    try:
        http.request("GET", path)
        response = http.getresponse()
        token = re.search(rb'csrfmiddlewaretoken" value="([^"]+)', response.read())
        cookie = (response.headers["Set-Cookie"] or "").partition(";")[0]
        body = fields | {"csrfmiddlewaretoken": token[1].decode() if token else ""}
        form = "application/x-www-form-urlencoded"
        http.request("POST", path, urlencode(body), {"Cookie": cookie, "Content-Type": form})
        return http.getresponse().status == 302
    except (OSError, HTTPException):
        return False
    finally:
        http.close()


def exchange(crowd: Crowd, port: int, stop: Event) -> None:
    """Exchange identity tokens of an issuer whose keys never arrive."""
    http = Connection(port, timeout=READ_TIMEOUT)
    while not stop.wait(EXCHANGE_INTERVAL):
        claims = {"iss": crowd.issuer, "jti": str(next(crowd.numbers))}
        token = jwt.encode(claims, RSA_KEY, "RS256", {"kid": "a"})
        http.post("/api/v1/trusted-publishing", {"token": token})
        crowd.add("exchanges")
