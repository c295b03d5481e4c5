"""Resolves while readers load pages as fast as they can, against resolves alone.

    python -m benchmarks.crowd              two minutes
    python -m benchmarks.crowd 100000       the same with so many tags; fifteen minutes

Eight builds resolve other tags each time, fifty a second each at most, first alone and then beside
eight readers, in turn. Answers from memory are switched off: what counts is a resolve that Django
computes.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks.environments import (
    DATABASES,
    WITHOUT_MEMORY,
    print_line,
    run_manage,
    shipped_server,
)

PAGES = ("/kinds/llvm", "/kinds/cuda", "/tags/?kind=llvm", "/namespaces/")
READERS = BUILDS = 8
PAUSE = 0.02  # seconds between the resolves of a build
SECONDS = 8  # of each measurement
ROUNDS = 3


class Measurement(NamedTuple):
    """Resolves per second of all builds, and how many milliseconds one takes."""

    rate: float
    median: float
    p99: float
    longest: float


def main(total: int) -> None:
    """Measure on both databases, with the catalogue repeated up to so many tags."""
    for name, database in DATABASES.items():
        with database() as environment:
            run_manage(environment, "load_catalogue")
            run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
            if total:
                _copy_tags(environment, total)
            tags = run_manage(environment, "shell", "--no-imports", "-c", NAMES).split()
            with shipped_server(environment | WITHOUT_MEMORY) as port:
                _compare(name, port, tags)


NAMES = """
from registry.models import Entry
print(*Entry.objects.filter(version__isnull=False).values_list("text", flat=True))
"""


def _copy_tags(environment: dict[str, str], total: int) -> None:
    os.environ |= environment
    from benchmarks import copy_tags  # noqa: PLC0415 - sets Django up for this database

    copy_tags.main(total)


def _compare(database: str, port: int, tags: list[str]) -> None:
    rounds = []
    for _ in range(ROUNDS):
        alone = _resolve(port, tags)
        with _readers(port) as pages:
            beside = _resolve(port, tags)
        rounds.append((alone, beside, len(pages) / SECONDS))
    print_line(f"{database}, {len(tags):,} tags: medians of {ROUNDS} rounds")
    for title, index in (("alone", 0), ("beside readers", 1)):
        columns = zip(*(each[index] for each in rounds), strict=True)
        rate, middle, p99, longest = map(median, columns)
        print_line(
            f"  {title:16}{rate:6.0f} resolves/s, median {middle:.1f} ms,"
            f" p99 {p99:.1f} ms, longest {longest:.0f} ms"
        )
    ratio = median(beside.rate / alone.rate for alone, beside, _ in rounds)
    print_line(f"  ratio {ratio:.2f}, beside {median(each[2] for each in rounds):.0f} pages/s")


def _resolve(port: int, tags: list[str]) -> Measurement:
    """Return what builds see that resolve different tags."""
    times: list[float] = []
    end = time.monotonic() + SECONDS
    builds = [
        threading.Thread(target=_build, args=(port, tags[number::BUILDS], end, times))
        for number in range(BUILDS)
    ]
    for build in builds:
        build.start()
    for build in builds:
        build.join()
    milliseconds = [1000 * each for each in times]
    p99 = quantiles(milliseconds, n=100)[-1]
    return Measurement(len(times) / SECONDS, median(milliseconds), p99, max(milliseconds))


def _build(port: int, tags: list[str], end: float, times: list[float]) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for tag in cycle(tags):
        start = time.monotonic()
        if start > end:
            return
        _read(connection, f"/api/v1/resolve/{tag}")
        times.append(time.monotonic() - start)
        time.sleep(PAUSE)


@contextmanager
def _readers(port: int) -> Iterator[list[str]]:
    """Yield the pages that readers have loaded so far; they stop at the end of the block."""
    loaded: list[str] = []
    stop = threading.Event()

    def read(path: str) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        while not stop.is_set():
            _read(connection, path)
            loaded.append(path)

    readers = [
        threading.Thread(target=read, args=(path,))
        for path, _ in zip(cycle(PAGES), range(READERS), strict=False)
    ]
    for reader in readers:
        reader.start()
    try:
        yield loaded
    finally:
        stop.set()
        for reader in readers:
            reader.join()


def _read(connection: HTTPConnection, path: str) -> None:
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        sys.exit(f"GET {path}: {response.status}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
