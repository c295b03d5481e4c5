"""Duration of a verdict in this process, compared with canonical JSON of the same two targets.

PYTHONPATH=client python -m benchmarks.verdicts            ten seconds
PYTHONPATH=client python -m benchmarks.verdicts URL        of a registry as well: two versions over
                                                           HTTP, first and from memory
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import product
from statistics import median
from urllib.parse import urlsplit

from benchmarks.environments import print_line
from ttag.canonical_json import canonical
from ttag.mirror.compatibility import Case, Compatibility, content
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import FILE, Tables, shipped_tables

ROUNDS = 60
TAGS = (
    *("aws/c4.4xlarge", "aws/c7i", "intel/core-i7-4770", "raspberry-pi/4b-aarch64"),
    *("nvidia/nvidia-a100", "nvidia/nvidia-h100", "nvidia/jetson-nano:cuda", "fujitsu/a64fx"),
    *("apple/m1", "amd/ryzen-7-2700x", "intel/xeon-e5-2680-v3", "nvidia/geforce-rtx-3060"),
)


def main() -> None:
    """Answer the cases of a mirror, in another order each round, and read the tables."""
    cases = list(Compatibility.from_json(json.loads(content())).cases)
    tables = shipped_tables()
    times: dict[str, list[float]] = {"verdict": [], "JSON": []}
    for _ in range(ROUNDS):
        random.shuffle(cases)
        times["verdict"].append(
            measure(
                lambda case: verdict(case.built_for, case.machine, case.options, tables=tables),
                cases,
            )
        )
        times["JSON"].append(
            measure(
                lambda case: (canonical({**case.built_for}), canonical({**case.machine})), cases
            )
        )
    print_line(f"{len(cases)} cases, {ROUNDS} rounds")
    for name, rounds in times.items():
        spread = f"({1e6 * min(rounds):.1f} to {1e6 * max(rounds):.1f})"
        print_line(f"  {name}: {1e6 * median(rounds):.1f} µs a case {spread}")
    start = time.perf_counter()
    Tables.from_json(json.loads(FILE.read_text(encoding="utf-8")))
    print_line(f"  reading the tables: {1000 * (time.perf_counter() - start):.0f} ms, once")
    for url in sys.argv[1:]:
        ask_registry(url)


def ask_registry(url: str) -> None:
    """Ask a registry about pairs of versions, one connection for all, twice."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port)
    paths = [f"/api/v1/runs-on/{one}...{other}" for one, other in product(TAGS, TAGS)]

    def ask(path: str) -> None:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        if response.status != HTTPStatus.OK:
            raise SystemExit(f"{path}: {response.status}")

    for name in ("first", "from memory"):
        times = []
        for path in random.sample(paths, len(paths)):
            start = time.perf_counter()
            ask(path)
            times.append(1000 * (time.perf_counter() - start))
        spread = f"({min(times):.2f} to {max(times):.2f})"
        print_line(f"  over HTTP, {name}: {median(times):.2f} ms {spread}, {len(paths)} pairs")


def measure(ask: Callable[[Case], object], cases: Sequence[Case]) -> float:
    """Return the seconds that a case takes."""
    start = time.perf_counter()
    for case in cases:
        ask(case)
    return (time.perf_counter() - start) / len(cases)


if __name__ == "__main__":
    main()
