"""Search among 100,000 tags through the shipped server, and resolving there against 300 tags.

    python -m benchmarks.search             some 8 minutes

Every question is asked several times, in an order that mixes all of them; one at a time, so that
an answer's time is its own work. What resolving costs is asked of both registries in turn.
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

from benchmarks.resolve import shipped_server
from benchmarks.stage import DATABASES, Environment, get, manage, say

TAGS = 100_000
ROUNDS = 12
RESOLVED = 400  # each time, of each registry
SEED = 1

LIST = "/api/v1/tags"
DENSE = ("keys=cpu", "num-cores>=1", "cores>=1", "power_watts>1", "memory_bytes>=1")
MIXED = ("mattr=+avx2", "num-cores>=8", "memory_bytes>=8e9", "power_watts<100", "mcpu=znver4")

Question = Mapping[str, object]


def named(*queries: str, **more: object) -> list[Question]:
    """Questions for names."""
    return [{"q": query, **more} for query in queries]


def where(*conditions: str, **more: object) -> Question:
    """A question for attributes."""
    return {"where": list(conditions), **more}


QUESTIONS: dict[str, list[Question]] = {
    "one word": named("4090", "jetson-nano", "gfx", "epyc", "nrf52", "stm32h", "xavier", "m1-gpu"),
    "three words": named(
        *("geforce rtx 4090", "jetson orin kit", "amd radeon rx", "mali g 610", "aws c6i bare"),
        "nvidia/geforce-rtx-40 linux",
    ),
    "a word in half of all names": named("linux", "linux aot", "linux 16gb", "x linux"),
    "one or two letters": named("a", "r", "2", "ge", "qz", "a e i o r s t n"),
    "a typo": named(
        *("gefroce rtx 4090", "jetsn-nono", "radoen rx 7900", "nvidia/quadrro-4000"),
        *("stm23h 750", "snapdargon 8", "rtx-4009", "qqqqqqq"),
    ),
    "one fact": [
        *({"namespace": name} for name in ("nvidia", "aws")),
        *({"kind": name} for name in ("llvm", "cuda", "hexagon", "mixin")),
        *({"vendor": name} for name in ("NVIDIA", "Arm", "Nobody")),
        *({"arch": name} for name in ("sm_90", "x86_64", "gfx942")),
        *({"family": name} for name in ("jetson-orin", "epyc")),
        *({"status": name} for name in ("active", "deprecated", "yanked")),
    ],
    "several facts": [
        {"kind": "llvm", "status": "deprecated"},
        {"vendor": "AMD", "kind": "rocm", "arch": "gfx942", "status": "active"},
        {"namespace": "nvidia", "status": "yanked", "family": "quadro"},
    ],
    "a text": [
        *(where(one) for one in ("arch=sm_90", "mcpu=cortex-m7", "keys=cpu", "mattr=+avx2")),
        *(where(one) for one in ("/host/mcpu=cortex-a78", "/host/kind=llvm", "mcpu=nonsense")),
    ],
    "a range of numbers": [
        *(where(one) for one in ("num-cores>=8", "cores>=1", "power_watts<6", "cores>1e9")),
        *(where(one) for one in ("/host/num-cores>=64", "/hardware/memory_bytes>=4e10")),
    ],
    "five conditions": [
        where(*DENSE),
        where(*MIXED),
        where(*DENSE[:4], "mcpu=nonsense"),
        where("kind=cuda", "arch=sm_90", "/host/kind=llvm", "/host/num-cores>=4", "cores>=16"),
        where(*DENSE, kind="llvm", status="active"),
    ],
    "a name with facts or conditions": [
        *named("linux", where=["keys=cpu"]),
        *named("linux", namespace="nvidia"),
        *named("rtx 4090", where=["num-cores>=8"]),
        *named("jetson", kind="cuda", where=["arch=sm_87", "/host/num-cores>=4"]),
        *named("a", status="yanked"),
        *named("kit", vendor="NXP", where=["mcpu=cortex-m7"]),
    ],
    "the worst we know": [
        where("/kind=llvm", "/host/kind=llvm"),  # each true of many, both of none
        where("/kind=llvm", "/host/kind=llvm", *DENSE[2:]),
        *named("linux", where=list(DENSE)),
        *named("a e i o r s t n", where=list(DENSE)),
        *named("linux", where=["/kind=llvm", "/host/kind=llvm", *DENSE[2:]]),
        *named("gefroce", where=list(DENSE), kind="cuda"),
    ],
}


def main() -> None:
    """Measure on both databases."""
    for database, empty in DATABASES.items():
        with ExitStack() as stack:
            small, large = stack.enter_context(empty()), stack.enter_context(empty())
            for environment in (small, large):
                manage(environment, "load_catalogue")
            say(f"{database}: {filled(large)}")
            few = stack.enter_context(shipped_server(small))
            many = stack.enter_context(shipped_server(large))
            searching(many)
            resolving(few, many)


def filled(environment: Environment) -> str:
    """Fill a registry up; what was said about it."""
    command = [sys.executable, "-m", "benchmarks.crowd", str(TAGS)]
    return subprocess.run(  # noqa: S603 - runs a benchmark of the project's own
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


def searching(port: int) -> None:
    """Ask all questions, and say how long the answers of each class took."""
    paths = {
        "the list": [LIST, *islice(pages(port, LIST), 40, 43)],
        **{
            name: [f"{LIST}?{urlencode(question, doseq=True)}" for question in questions]
            for name, questions in QUESTIONS.items()
        },
        "a later page": [
            path
            for question in (named("linux")[0], where(*DENSE), {"kind": "llvm"})
            for path in islice(pages(port, f"{LIST}?{urlencode(question, doseq=True)}"), 18, 20)
        ],
    }
    every = [(name, path) for name, some in paths.items() for path in some]
    took: dict[str, list[float]] = {name: [] for name in paths}
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    for at in range(ROUNDS):
        random.Random(SEED + at).shuffle(every)  # noqa: S311 - no secret
        for name, path in every:
            took[name].append(milliseconds(connection, path))
    say(f"  {len(every)} questions, {ROUNDS} times each")
    for name, found in took.items():
        say(f"  {name:34}{summary(found)}")
    say(f"  {'all':34}{summary([each for found in took.values() for each in found])}")


def pages(port: int, path: str) -> Iterator[str]:
    """Where the pages of a list after the first are."""
    following = json.loads(get(port, path)[2])["next"]
    while following:
        yield following
        following = json.loads(get(port, following)[2])["next"]


def milliseconds(connection: HTTPConnection, path: str) -> float:
    """How long an answer takes, which must be one."""
    start = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    took = 1000 * (time.perf_counter() - start)
    if answer.status != 200:
        raise ValueError(f"{path}: {answer.status} {body.decode()}")
    return took


def summary(found: list[float]) -> str:
    """Median, 95th percentile and maximum."""
    return (
        f"p50 {median(found):6.1f} ms  p95 {quantiles(found, n=20)[-1]:6.1f}  max {max(found):6.1f}"
    )


def resolving(few: int, many: int) -> None:
    """Resolve the same tags in both registries in turn, and say how they compare."""
    tags = [entry["tag"] for entry in json.loads(get(few, LIST)[2])["results"]]
    ports = {few: HTTPConnection("127.0.0.1", few), many: HTTPConnection("127.0.0.1", many)}
    ratios, medians = [], []
    for _ in range(ROUNDS):
        took: dict[int, list[float]] = {few: [], many: []}
        for at in range(RESOLVED):
            for port, connection in ports.items():
                path = f"/api/v1/resolve/{tags[at % len(tags)]}"
                took[port].append(milliseconds(connection, path))
        medians.append(median(took[many]))
        ratios.append(median(took[many]) / median(took[few]))
    say(
        f"  resolving, {TAGS:,} tags : catalogue  {median(ratios):.2f} : 1"
        f" ({min(ratios):.2f} to {max(ratios):.2f}), {median(medians):.2f} ms"
    )


if __name__ == "__main__":
    main()
