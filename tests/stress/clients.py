"""A process of clients: publishers, proposers, yankers and readers, each a thread.

    python -m tests.stress.clients FOLDER PORT NAME ROLE ...

It reads the token from standard input and ends when that is closed, so also when its parent dies.
"""

import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.stress.connection import Connection, Response
from tests.stress.digests import digest_of, digest_of_bytes
from tests.stress.records import Action, Answer, Attempt, Journal, Outcome

WRITE_TIMEOUT = 30  # seconds; the server waits up to 20 for the write lock
READ_TIMEOUT = 10
PROBE_TIMEOUT = 2  # a build tool that asks again soon
PROBE_INTERVAL = 0.1
VERSIONS_PER_TAG = 40  # then a publisher continues with a new tag
SHARED = 2  # tags that all publishers publish to
SHARED_PERIOD = 20  # seconds, then they continue with new ones
PROBED = "stress/probe"
CPUS = ("haswell", "skylake", "znver3", "x86-64-v3")


class Writer:
    """Sends writes, with a record before each and after its response."""

    def __init__(self, journal: Journal, port: int, token: str, name: str) -> None:
        self._journal = journal
        self._connection = Connection(port, token=token, timeout=WRITE_TIMEOUT)
        self._name = name
        self._count = 0
        self._newest: dict[str, str | None] = {}  # the most recently published version, if known

    def publish(self, tag: str, body: dict[str, Any], target: dict[str, Any]) -> str | None:
        """Publish a body that resolves to `target`; return the reference if acknowledged."""
        if tag not in self._newest and not self._look_up(tag):
            return None
        attempt = self.start(Action.PUBLISH, tag, digest_of(target))
        newest = self._newest.pop(tag)
        condition = {"If_Match": f'"{newest}"'} if newest else {"If_None_Match": "*"}
        request = {"target": body, "message": attempt.id}
        response = self._connection.post(f"/api/v1/versions/{tag}", request, **condition)
        if response.status != 201:
            self.finish(attempt, response)
            return None
        version = response.json()
        self._newest[tag] = version["version"]
        self.finish(attempt, response, version["reference"], version["digest"])
        return str(version["reference"])

    def yank(self, reference: str) -> None:
        attempt = self.start(Action.YANK, reference)
        response = self._connection.post(f"/api/v1/yank/{reference}", {"reason": attempt.id})
        self.finish(attempt, response)

    def propose(self, tag: str, target: dict[str, Any], *, key: str) -> str | None:
        """Propose a version; return the number of the proposal if acknowledged."""
        attempt = self.start(Action.PROPOSE, tag, digest_of(target))
        request = {"tag": tag, "target": target, "message": key, "base": None}
        response = self._connection.post("/api/v1/proposals", request, Idempotency_Key=key)
        number = str(response.json()["number"]) if response.status in {200, 201} else ""
        self.finish(attempt, response, number)
        return number or None

    def accept(self, number: str, target: dict[str, Any], *, key: str) -> bool:
        """Accept a proposal; return whether it is decided."""
        attempt = Attempt(key, Action.ACCEPT, number, time.monotonic(), digest_of(target))
        self._journal.write(attempt)
        path = f"/api/v1/proposals/{number}/accept"
        response = self._connection.post(path, {"revision": 1})
        version = response.json()["version"] if response.status == 201 else ""
        self.finish(attempt, response, version, attempt.digest if version else "")
        return response.status in {201, 409}

    def start(self, action: Action, subject: str, digest: str = "") -> Attempt:
        self._count += 1
        id = f"{self._name}-{self._count}"
        attempt = Attempt(id, action, subject, time.monotonic(), digest)
        self._journal.write(attempt)
        return attempt

    def finish(
        self, attempt: Attempt, response: Response, result: str = "", digest: str = ""
    ) -> None:
        outcome = Outcome(
            attempt.id, time.monotonic(), response.status, response.code, result, digest
        )
        self._journal.write(outcome)

    def _look_up(self, tag: str) -> bool:
        response = self._connection.get(f"/api/v1/versions/{tag}")
        if response.status == 200:
            self._newest[tag] = response.json()["last_published"]
        elif response.status == 404:
            self._newest[tag] = None
        return tag in self._newest


class Process:
    """The state that the threads of a process share."""

    def __init__(self, folder: Path, port: int, token: str, name: str) -> None:
        self.journal = Journal(folder / f"{name}.jsonl")
        self.port = port
        self.token = token
        self.name = name
        self.stopped = threading.Event()
        self.references = [PROBED]  # that must resolve

    def run(self, roles: list[str]) -> None:
        """Run the roles until standard input is closed."""
        threads = [
            threading.Thread(target=ROLES[role], args=(self, f"{self.name}-{role}-{index}"))
            for index, role in enumerate(roles)
        ]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        self.stopped.set()
        for thread in threads:
            thread.join()

    def writer(self, name: str) -> Writer:
        return Writer(self.journal, self.port, self.token, name)

    def pause(self, rng: random.Random, mean: float) -> None:
        self.stopped.wait(rng.uniform(0.5, 1.5) * mean)


def publish(process: Process, name: str) -> None:
    """Publish versions of tags of its own and of shared tags, a third of them with a parent."""
    rng, writer = random.Random(name), process.writer(name)
    parents: list[tuple[str, dict[str, Any]]] = []
    count = 0
    while not process.stopped.is_set():
        count += 1
        target = new_target(rng, f"{name}-{count}")
        body = target
        if parents and rng.random() < 0.3:
            parent, inherited = rng.choice(parents)
            body = {"tag": parent, "model": target["model"]}
            target = inherited | {"model": target["model"]}
        tag = f"stress/{name}-{count // VERSIONS_PER_TAG}"
        if rng.random() < 0.3:
            period = int(time.monotonic()) // SHARED_PERIOD
            tag = f"stress/shared-{rng.randrange(SHARED)}-{period}"
        if reference := writer.publish(tag, body, target):
            parents = [*parents[-20:], (reference, target)]
            process.references += [reference, tag]
        process.pause(rng, 1.2)


def yank(process: Process, name: str) -> None:
    """Publish versions of tags of its own and yank all but the first ones."""
    rng, writer = random.Random(name), process.writer(name)
    count = 0
    while not process.stopped.is_set():
        count += 1
        tag = f"stress/{name}-{count // VERSIONS_PER_TAG}"
        target = new_target(rng, f"{name}-{count}")
        reference = writer.publish(tag, target, target)
        if reference:
            process.references += [reference, tag]
            if not reference.endswith("@1.0.0"):
                process.pause(rng, 0.5)
                writer.yank(reference)
        process.pause(rng, 1)


def propose(process: Process, name: str) -> None:
    """Propose first versions and accept them, with as many attempts as it takes."""
    rng, writer = random.Random(name), process.writer(name)
    count = 0
    while not process.stopped.is_set():
        count += 1
        tag, key = f"stress/{name}-{count}", f"{name}-key-{count}"
        target = new_target(rng, key)
        number = None
        while not number and not process.stopped.is_set():
            number = writer.propose(tag, target, key=key)
            process.pause(rng, 1)
        accepted = False
        while number and not accepted and not process.stopped.is_set():
            accepted = writer.accept(number, target, key=key)
            process.pause(rng, 1)


def read(process: Process, name: str) -> None:
    """Resolve references that this process has published, in both formats."""
    rng = random.Random(name)
    connection = Connection(process.port, timeout=READ_TIMEOUT)
    while not process.stopped.is_set():
        newest = process.references[-20:]
        reference = rng.choice(newest if rng.random() < 0.5 else process.references)
        answer = resolve(connection, name, reference, as_target=rng.random() < 0.5)
        process.journal.write(answer)
        process.pause(rng, 0.05)


def probe(process: Process, name: str) -> None:
    """Resolve one reference ten times a second, without waiting for earlier responses."""

    def resolve_once() -> None:
        connection = Connection(process.port, timeout=PROBE_TIMEOUT)
        answer = resolve(connection, name, PROBED, as_target=True, is_probe=True)
        connection.close()
        process.journal.write(answer)

    while not process.stopped.is_set():
        threading.Thread(target=resolve_once).start()
        process.stopped.wait(PROBE_INTERVAL)


def resolve(
    connection: Connection, client: str, reference: str, *, as_target: bool, is_probe: bool = False
) -> Answer:
    """Resolve a reference; return the answer with the digest of the received target."""
    sent = time.monotonic()
    format_name = "target" if as_target else "json"
    response = connection.get(f"/api/v1/resolve/{reference}?format={format_name}")
    received = time.monotonic()
    if response.status != 200:
        return Answer(
            client, reference, sent, received, response.status, response.code, is_probe=is_probe
        )
    tag, _, _ = reference.partition("@")
    return Answer(
        client,
        reference,
        sent,
        received,
        response.status,
        version=f"{tag}@{response.headers['Target-Version']}",
        digest=response.headers["Target-Digest"],
        computed=(
            digest_of_bytes(response.body) if as_target else digest_of(response.json()["target"])
        ),
        is_probe=is_probe,
    )


def new_target(rng: random.Random, model: str) -> dict[str, Any]:
    """Return a body without references, which is its own target."""
    return {
        "kind": "llvm",
        "mtriple": "x86_64-unknown-linux-gnu",
        "mcpu": rng.choice(CPUS),
        "num-cores": rng.randint(1, 64),
        "model": model,
    }


ROLES: dict[str, Callable[[Process, str], None]] = {
    role.__name__: role for role in (publish, yank, propose, read, probe)
}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    folder, port, name, *roles = sys.argv[1:]
    token = sys.stdin.readline().strip()
    Process(Path(folder), int(port), token, name).run(roles)


if __name__ == "__main__":
    main()
