"""The process that measures for `benchmarks.lock`, in TVM's environment.

It writes the seconds that a target takes, of each round, and those that reading the lock takes.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable

from tvm.target import Target  # type: ignore[import-not-found, unused-ignore]

from ttag import Lock

ROUNDS = 60
READS = 5


def main(path: str) -> None:
    """Ask the lock and TVM for all targets, in turn, in another order each round."""
    lock = Lock.read(path)
    names = list(lock.targets)
    sources: dict[str, Callable[[str], object]] = {
        "lock": lambda name: lock.resolve(name).target,
        "tvm": Target,
    }
    times: dict[str, list[float]] = {name: [] for name in sources}
    for _ in range(ROUNDS):
        random.shuffle(names)
        for source, ask in sources.items():
            times[source].append(measure(ask, names))
    times["read"] = [measure(Lock.read, [path]) for _ in range(READS)]
    sys.stdout.write(json.dumps(times))


def measure(ask: Callable[[str], object], names: list[str]) -> float:
    """Return the seconds that one name takes."""
    start = time.perf_counter()
    for name in names:
        ask(name)
    return (time.perf_counter() - start) / len(names)


if __name__ == "__main__":
    main(sys.argv[1])
