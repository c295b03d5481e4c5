"""A client that changes one tag again and again, and checks the answers that follow.

It runs in a process of its own, and needs neither Django nor the registry's code.
"""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from itertools import cycle

from tests.patience import PATIENCE
from tests.serving import LLVM

CONNECTIONS = 4  # to each port, so that they reach all of its processes
GIVE_UP = 10  # seconds after which a stale answer stays stale


@dataclass
class Result:
    """The answers and delays that a client has seen.

    `delays` has, for each change, the seconds from its acknowledgement to the last request with a
    stale answer; 0 if there was none. `stale` are examples of such answers.
    """

    answers: int = 0
    delays: list[float] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def add_stale(self, delay: float, answer: str) -> None:
        """Add a stale answer."""
        self.delays[-1] = max(delay, self.delays[-1])
        self.stale = [*self.stale, answer][:5]


@dataclass
class Expected:
    """The answers that the tag and its alias must have."""

    version: str = ""
    status: str = "active"
    alias: str = ""


class Hammer:
    """Changes a tag through one port, and resolves it through all ports."""

    def __init__(self, stack: ExitStack, ports: list[int], token: str, name: str) -> None:
        self._http = [
            stack.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)))
            for port in ports
            for _ in range(CONNECTIONS)
        ]
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.tag, self._alias = f"acme/{name}", f"acme/{name}.latest"
        self._etags: dict[str, str] = {}
        self.expected = Expected()
        self.result = Result()

    def changes(self) -> Iterator[None]:
        """Yield after each acknowledged change."""
        self.publish(1)
        yield
        for cores in cycle(range(2, 64)):
            before = self.expected.version
            self.publish(cores)
            yield
            newest = self.expected.version
            self._write("POST", f"yank/{self.tag}@{newest}", {"reason": "a test"})
            self.expected.version = before
            yield
            self._write("POST", f"unyank/{self.tag}@{newest}", {"reason": "a test"})
            self.expected.version = newest
            yield
            self._write("POST", f"deprecate/{self.tag}", {"reason": "a test"})
            self.expected.status = "deprecated"
            yield
            self._write("POST", f"undeprecate/{self.tag}", {"reason": "a test"})
            self.expected.status = "active"
            yield
            reference = {"reference": f"{self.tag}@{newest}"}
            self._write("PUT", f"aliases/{self._alias}", reference)
            self.expected.alias = newest
            yield

    def publish(self, cores: int) -> None:
        """Publish a body that differs from the last one."""
        body = {"target": LLVM | {"num-cores": cores}, "message": "", "sources": []}
        precondition = (
            {"If-Match": f'"{self.expected.version}"'}
            if self.expected.version
            else {"If-None-Match": "*"}
        )
        self.expected.version = self._write("POST", f"versions/{self.tag}", body, precondition)

    def check(self, acknowledged: float) -> None:
        """Resolve through all connections until the answers are as acknowledged."""
        self.result.delays.append(0)
        for http in self._http:
            self._check(http, self.tag, self.expected.version, acknowledged)
            if self.expected.alias:
                self._check(http, self._alias, self.expected.alias, acknowledged)

    def _check(
        self, http: HTTPConnection, reference: str, version: str, acknowledged: float
    ) -> None:
        expected, delay = (version, self.expected.status), 0.0
        while delay < GIVE_UP:
            known = {"If-None-Match": etag} if (etag := self._etags.get(reference)) else {}
            delay = time.monotonic() - acknowledged
            http.request("GET", f"/api/v1/resolve/{reference}", headers=known)
            response = http.getresponse()
            response.read()
            self.result.answers += 1
            answer = (response.headers["Target-Version"], response.headers["Target-Status"])
            if answer == expected:
                self._etags[reference] = response.headers["ETag"]
                return
            text = f"{reference}: {response.status} {answer}, expected {expected}"
            self.result.add_stale(delay, text)

    def _write(
        self, method: str, path: str, body: object, headers: dict[str, str] | None = None
    ) -> str:
        """Send a change; return the version in the response, if there is one."""
        http = self._http[0]
        http.request(method, f"/api/v1/{path}", json.dumps(body), self._headers | (headers or {}))
        return str(_read(http.getresponse()).get("version", ""))


def _read(response: HTTPResponse) -> dict[str, object]:
    body = response.read()
    if response.status not in (200, 201):
        raise ValueError(f"{response.status} {body!r}")
    answer: dict[str, object] = json.loads(body)
    return answer


def hammer(ports: list[int], token: str, name: str, seconds: float) -> Result:
    """Change a tag and check all answers for some seconds."""
    deadline = time.monotonic() + seconds
    with ExitStack() as stack:
        client = Hammer(stack, ports, token, name)
        for _ in client.changes():
            acknowledged = time.monotonic()
            client.check(acknowledged)
            client.check(acknowledged)  # from memory
            if time.monotonic() > deadline:
                return client.result
    raise AssertionError("unreachable: changes go on for ever")
