"""Resolves of 3,000 tags beside ten publications a second, against the same resolves alone.

    python -m benchmarks.busy_publisher     three minutes

The publications are of a tag that none of the others is made from. Answers come from memory, which
is full before the first measurement.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from benchmarks.environments import DATABASES, print_line, run_manage, shipped_server
from benchmarks.wrk import Endpoint, load
from tests.serving import create_token

TAGS = 3000
INTERVAL = 0.1  # seconds between publications
SECONDS = 8  # of each measurement
ROUNDS = 3
UNLIMITED = {"REGISTRY_RATE_ACCOUNT": "none", "REGISTRY_RATE_ANONYMOUS": "none"}
NAMES = """
from registry.models import Tag
print(*Tag.objects.filter(is_family=False).order_by("text").values_list("text", flat=True))
"""
# Each request is for the next of the paths, which wrk reads once.
SCRIPT = """
local paths, position = {}, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
function request()
  position = position %% #paths + 1
  return wrk.format("GET", paths[position])
end
"""


def main() -> None:
    """Measure on both databases."""
    for name, database in DATABASES.items():
        with database() as registry, tempfile.TemporaryDirectory() as folder:
            environment = registry | UNLIMITED
            run_manage(environment, "load_catalogue")
            tags = run_manage(environment, "shell", "--no-imports", "-c", NAMES).split()
            random.Random(1).shuffle(tags)  # noqa: S311 - a stated selection
            script = _write_script(Path(folder), tags[:TAGS])
            token = create_token(environment, "publish", "admin")
            with shipped_server(environment) as port:
                _compare(name, Endpoint(port, "/"), script, token)


def _write_script(folder: Path, tags: list[str]) -> Path:
    paths, script = folder / "paths", folder / "paths.lua"
    paths.write_text("".join(f"/api/v1/resolve/{tag}\n" for tag in tags))
    script.write_text(SCRIPT % paths)
    return script


def _compare(database: str, endpoint: Endpoint, script: Path, token: str) -> None:
    load(endpoint, SECONDS, script=script)  # fills the memory
    rounds = []
    for _ in range(ROUNDS):
        alone = load(endpoint, SECONDS, script=script)
        with _publisher(endpoint.port, token) as published:
            beside = load(endpoint, SECONDS, script=script)
        rounds.append((alone, beside, len(published) / SECONDS))
    alone, beside, published_rate = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(beside / alone for alone, beside, _ in rounds)
    print_line(
        f"{database}: {alone:,.0f} resolves/s alone, {beside:,.0f} beside {published_rate:.1f}"
        f" publications/s: {ratio:.2f}"
    )


@contextmanager
def _publisher(port: int, token: str) -> Iterator[list[str]]:
    """Yield the versions published so far; publishing stops at the end of the block."""
    published: list[str] = []
    stop = threading.Event()

    def publish() -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        tag, start = f"acme/busy{time.monotonic_ns()}", time.monotonic()
        while not stop.wait(max(0, start + len(published) * INTERVAL - time.monotonic())):
            published.append(_publish(connection, token, tag, published))

    publisher = threading.Thread(target=publish)
    publisher.start()
    try:
        yield published
    finally:
        stop.set()
        publisher.join()


def _publish(connection: HTTPConnection, token: str, tag: str, published: list[str]) -> str:
    """Publish the next version of a tag; return its number."""
    target = {"kind": "llvm", "mcpu": "haswell", "num-cores": 1 + len(published)}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    headers |= {"If-Match": f'"{published[-1]}"'} if published else {"If-None-Match": "*"}
    body = {"target": target, "message": "", "sources": []}
    connection.request("POST", f"/api/v1/versions/{tag}", json.dumps(body), headers)
    response = connection.getresponse()
    answer = response.read()
    if response.status != 201:
        raise ValueError(f"{response.status} {answer!r}")
    return str(json.loads(answer)["version"])


if __name__ == "__main__":
    main()
