"""The cost of receiving requests on an event loop, and of slow clients to others.

    python -m benchmarks.receiving          about three minutes; needs wrk

First, bare responses of 1.5 KB: granian's WSGI interface against `registry.server`, from its hook
ahead of Django and from a thread. Then resolving by tag with and without 1,000 slow connections of
five kinds. Each in turn, so that other load on the machine affects both; the ratio is what matters.
"""

# ruff: noqa: S603 - runs granian, wrk and the registry's server, with fixed arguments

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import Process
from pathlib import Path
from statistics import median

from benchmarks.environments import find_programs, free_port, print_line, run_manage, server, sqlite
from benchmarks.resolve import PATH, shipped_server
from registry.management.commands.serve import granian
from tests.stress.slow_clients import OPENINGS, allow_many_sockets, hold_sockets

ROUNDS = 5
SECONDS = 3  # of load per round
CONNECTIONS = 16
MANY_CONNECTIONS = 128  # of a build farm
SLOW_CLIENTS = 1000
SETTLE = 3  # seconds for the slow clients to connect

Measure = Callable[[], float]


def main() -> None:
    """Measure bare responses, then resolving among slow clients."""
    wrk = find_programs(wrk="wrk")["wrk"]
    with sqlite() as environment, ExitStack() as stack:
        os.environ |= {**environment, "DJANGO_SETTINGS_MODULE": "registry.settings"}
        ports = {name: stack.enter_context(bare_server(name)) for name in BARE}
        for connections in (CONNECTIONS, MANY_CONNECTIONS):
            loads = {
                name: partial(load, wrk, port, "/", connections) for name, port in ports.items()
            }
            title = f"Bare responses, {connections} connections"
            compare(title, loads, base="granian's WSGI interface")
    with sqlite() as environment, ExitStack() as stack:
        run_manage(environment, "load_catalogue")
        run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        port = stack.enter_context(shipped_server(environment))
        resolve = partial(load, wrk, port, PATH)
        loads = {"no slow clients": resolve, "slow clients": partial(among_slow, port, resolve)}
        compare(f"Resolving, {SLOW_CLIENTS} slow clients", loads, base="no slow clients")


@contextmanager
def bare_server(name: str) -> Iterator[int]:
    """Run an application of `benchmarks.bare_responses` and yield its port."""
    port = free_port()
    with server(BARE[name](port), port, "/"):
        yield port


def shipped_granian(application: str, port: int) -> list[str]:
    """Return the command of `manage.py serve` for another application."""
    command = granian("127.0.0.1", port, 2, connections=1024)
    return [*command[:-1], f"benchmarks.bare_responses:{application}"]


def wsgi_granian(port: int) -> list[str]:
    """Return the command that ran the registry before it received bodies itself."""
    program = str(Path(sys.executable).with_name("granian"))
    command = [program, "--interface", "wsgi", "--no-ws", "--port", str(port), "--workers", "2"]
    return [*command, "--blocking-threads", "4", "benchmarks.bare_responses:wsgi"]


BARE: dict[str, Callable[[int], list[str]]] = {
    "granian's WSGI interface": wsgi_granian,
    "the hook ahead of Django": partial(shipped_granian, "shortcut"),
    "a thread": partial(shipped_granian, "in_thread"),
}


def among_slow(port: int, measure: Measure) -> float:
    """Return a measurement among slow clients of all kinds."""
    kinds = sorted(OPENINGS) * (SLOW_CLIENTS // len(OPENINGS))
    slow = Process(target=hold_slow, args=(port, kinds, SETTLE + SECONDS + 2))
    slow.start()
    time.sleep(SETTLE)
    try:
        return measure()
    finally:
        slow.join()


def hold_slow(port: int, kinds: list[str], seconds: float) -> None:
    """Hold slow connections, in a process of their own."""
    allow_many_sockets()
    hold_sockets(port, kinds, seconds)


def compare(title: str, measures: Mapping[str, Measure], *, base: str) -> None:
    """Measure in turn, and print requests per second and their ratio to the base."""
    rounds = [{name: measure() for name, measure in measures.items()} for _ in range(ROUNDS)]
    print_line(f"{title}: medians of {ROUNDS} rounds")
    for name in measures:
        rates = [rates[name] for rates in rounds]
        ratios = [rates[name] / rates[base] for rates in rounds]
        print_line(
            f"  {name:26}{median(rates):8,.0f} requests/s ({min(rates):,.0f} to {max(rates):,.0f}),"
            f" ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        )


def load(wrk: str, port: int, path: str, connections: int = CONNECTIONS) -> float:
    """Return the requests per second of a path under load."""
    command = [wrk, "--threads", "1", "--connections", str(connections)]
    output = subprocess.run(
        [*command, "--duration", f"{SECONDS}s", f"http://127.0.0.1:{port}{path}"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS + 30,
        check=True,
    ).stdout
    if "Non-2xx" in output:
        raise ValueError(f"some requests failed:\n{output}")
    return float(re.findall(r"Requests/sec:\s+([\d.]+)", output)[0])


if __name__ == "__main__":
    main()
