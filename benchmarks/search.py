"""Latency of search among 100,000 tags, and of resolving there compared with 300 tags.

    python -m benchmarks.search             about eight minutes

Queries run several times, in random order, one at a time, so that they do not delay each other.
Resolving alternates between both registries.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from itertools import islice
from statistics import median, quantiles
from urllib.parse import urlencode

from benchmarks.environments import (
    DATABASES,
    WITHOUT_MEMORY,
    Environment,
    fetch,
    print_line,
    run_manage,
    shipped_server,
)

TAGS = 100_000
ROUNDS = 12
RESOLVED = 400  # per round and registry
SEED = 1

LIST = "/api/v1/tags"
DENSE = ("keys=cpu", "num-cores>=1", "cores>=1", "power_watts>1", "memory_bytes>=1")
MIXED = ("mattr=+avx2", "num-cores>=8", "memory_bytes>=8e9", "power_watts<100", "mcpu=znver4")

Query = Mapping[str, object]


def text_queries(*texts: str, **others: object) -> list[Query]:
    """Return queries for names, all with the same other parameters."""
    return [{"q": text, **others} for text in texts]


def where(*conditions: str, **others: object) -> Query:
    """Return a query with conditions."""
    return {"where": list(conditions), **others}


QUERIES: dict[str, list[Query]] = {
    "one word": text_queries(
        "4090", "jetson-nano", "gfx", "epyc", "nrf52", "stm32h", "xavier", "m1-gpu"
    ),
    "three words": text_queries(
        "geforce rtx 4090",
        "jetson orin kit",
        "amd radeon rx",
        "mali g 610",
        "aws c6i bare",
        "nvidia/geforce-rtx-40 linux",
    ),
    "a word that is in half of all names": text_queries(
        "linux", "linux aot", "linux 16gb", "x linux"
    ),
    "one or two letters": text_queries("a", "r", "2", "ge", "qz", "a e i o r s t n"),
    "a typo": text_queries(
        "gefroce rtx 4090",
        "jetsn-nono",
        "radoen rx 7900",
        "nvidia/quadrro-4000",
        "stm23h 750",
        "snapdargon 8",
        "rtx-4009",
        "qqqqqqq",
    ),
    "one fact": [
        *({"namespace": name} for name in ("nvidia", "aws")),
        *({"kind": name} for name in ("llvm", "cuda", "hexagon", "mixin")),
        *({"vendor": name} for name in ("NVIDIA", "Arm")),
        *({"arch": name} for name in ("sm_90", "x86_64", "gfx942")),
        *({"family": name} for name in ("jetson-orin", "epyc")),
        *({"status": name} for name in ("active", "deprecated", "yanked")),
    ],
    "several facts": [
        {"kind": "llvm", "status": "deprecated"},
        {"vendor": "AMD", "kind": "rocm", "arch": "gfx942", "status": "active"},
        {"namespace": "nvidia", "status": "yanked", "family": "quadro"},
    ],
    "text conditions": [
        *(
            where(condition)
            for condition in ("arch=sm_90", "mcpu=cortex-m7", "keys=cpu", "mattr=+avx2")
        ),
        *(
            where(condition)
            for condition in ("/host/mcpu=cortex-a78", "/host/kind=llvm", "mcpu=nonsense")
        ),
    ],
    "numeric ranges": [
        *(
            where(condition)
            for condition in ("num-cores>=8", "cores>=1", "power_watts<6", "cores>1e9")
        ),
        *(
            where(condition)
            for condition in ("/host/num-cores>=64", "/hardware/memory_bytes>=4e10")
        ),
    ],
    "five conditions": [
        where(*DENSE),
        where(*MIXED),
        where(*DENSE[:4], "mcpu=nonsense"),
        where("kind=cuda", "arch=sm_90", "/host/kind=llvm", "/host/num-cores>=4", "cores>=16"),
        where(*DENSE, kind="llvm", status="active"),
    ],
    "a name with facts or conditions": [
        *text_queries("linux", where=["keys=cpu"]),
        *text_queries("linux", namespace="nvidia"),
        *text_queries("rtx 4090", where=["num-cores>=8"]),
        *text_queries("jetson", kind="cuda", where=["arch=sm_87", "/host/num-cores>=4"]),
        *text_queries("a", status="yanked"),
        *text_queries("kit", vendor="NXP", where=["mcpu=cortex-m7"]),
    ],
    "the worst known cases": [
        where("/kind=llvm", "/host/kind=llvm"),  # each matches many tags, both together none
        where("/kind=llvm", "/host/kind=llvm", *DENSE[2:]),
        *text_queries("linux", where=list(DENSE)),
        *text_queries("a e i o r s t n", where=list(DENSE)),
        *text_queries("linux", where=["/kind=llvm", "/host/kind=llvm", *DENSE[2:]]),
        *text_queries("gefroce", where=list(DENSE), kind="cuda"),
    ],
}


def main() -> None:
    """Measure on both databases."""
    for database, empty in DATABASES.items():
        with ExitStack() as stack:
            small, large = stack.enter_context(empty()), stack.enter_context(empty())
            for environment in (small, large):
                run_manage(environment, "load_catalogue")
            print_line(f"{database}: {fill(large)}")
            few = stack.enter_context(shipped_server(small | WITHOUT_MEMORY))
            many = stack.enter_context(shipped_server(large | WITHOUT_MEMORY))
            measure_search(many)
            measure_resolving(few, many)


def fill(environment: Environment) -> str:
    """Generate the tags; return the report of the generator."""
    command = [sys.executable, "-m", "benchmarks.generate_tags", str(TAGS)]
    return subprocess.run(  # noqa: S603 - runs another benchmark
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


def measure_search(port: int) -> None:
    """Run all queries and print the latencies of each class."""
    paths = {
        "the list": [LIST, *islice(pages(port, LIST), 40, 43)],
        **{
            name: [f"{LIST}?{urlencode(query, doseq=True)}" for query in queries]
            for name, queries in QUERIES.items()
        },
        "later pages": [
            path
            for query in (text_queries("linux")[0], where(*DENSE), {"kind": "llvm"})
            for path in islice(pages(port, f"{LIST}?{urlencode(query, doseq=True)}"), 18, 20)
        ],
    }
    requests = [(name, path) for name, group in paths.items() for path in group]
    latencies: dict[str, list[float]] = {name: [] for name in paths}
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    for index in range(ROUNDS):
        random.Random(SEED + index).shuffle(requests)  # noqa: S311 - not for security
        for name, path in requests:
            latencies[name].append(milliseconds(connection, path))
    print_line(f"  {len(requests)} queries, {ROUNDS} times each")
    for name, group in latencies.items():
        print_line(f"  {name:38}{summary(group)}")
    print_line(
        f"  {'all':38}{summary([latency for group in latencies.values() for latency in group])}"
    )


def pages(port: int, path: str) -> Iterator[str]:
    """Yield the paths of all pages of a list after the first."""
    next_page = json.loads(fetch(port, path)[2])["next"]
    while next_page:
        yield next_page
        next_page = json.loads(fetch(port, next_page)[2])["next"]


def milliseconds(connection: HTTPConnection, path: str) -> float:
    """Return the latency of a request. Raise ValueError unless it succeeds."""
    start = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    latency = 1000 * (time.perf_counter() - start)
    if response.status != 200:
        raise ValueError(f"{path}: {response.status} {body.decode()}")
    return latency


def summary(latencies: list[float]) -> str:
    """Format median, 95th percentile and maximum."""
    p95 = quantiles(latencies, n=20)[-1]
    return f"p50 {median(latencies):6.1f} ms  p95 {p95:6.1f}  max {max(latencies):6.1f}"


def measure_resolving(few: int, many: int) -> None:
    """Resolve the same tags in both registries in turn and print how they compare."""
    tags = [entry["tag"] for entry in json.loads(fetch(few, LIST)[2])["results"]]
    ports = {few: HTTPConnection("127.0.0.1", few), many: HTTPConnection("127.0.0.1", many)}
    ratios, medians = [], []
    for _ in range(ROUNDS):
        latencies: dict[int, list[float]] = {few: [], many: []}
        for index in range(RESOLVED):
            for port, connection in ports.items():
                path = f"/api/v1/resolve/{tags[index % len(tags)]}"
                latencies[port].append(milliseconds(connection, path))
        medians.append(median(latencies[many]))
        ratios.append(median(latencies[many]) / median(latencies[few]))
    print_line(
        f"  resolving, {TAGS:,} tags : catalogue  {median(ratios):.2f} : 1"
        f" ({min(ratios):.2f} to {max(ratios):.2f}), {median(medians):.2f} ms"
    )


if __name__ == "__main__":
    main()
