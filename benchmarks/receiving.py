"""The cost of receiving requests on an event loop, and of slow clients to others.

    python -m benchmarks.receiving          about three minutes; needs wrk

First, bare responses of 1.5 KB: granian's WSGI interface against `registry.server`, from its hook
ahead of Django and from a thread. Then resolving by tag with and without 1,000 slow connections of
five kinds. Each in turn, so that other load on the machine affects both; the ratio is what matters.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import Process
from statistics import median

from benchmarks import bare_servers
from benchmarks.environments import (
    WITHOUT_MEMORY,
    free_port,
    print_line,
    run_manage,
    server,
    shipped_server,
    sqlite,
)
from benchmarks.wrk import CONNECTIONS, Endpoint, load
from tests.stress.slow_clients import OPENINGS, allow_many_sockets, hold_sockets

PATH = "/api/v1/resolve/arm/soc:aot"
ROUNDS = 5
SECONDS = 3  # of load per round
MANY_CONNECTIONS = 128  # of a build farm
SLOW_CLIENTS = 1000
SETTLE = 3  # seconds for the slow clients to connect

Measure = Callable[[], float]


def main() -> None:
    """Measure bare responses, then resolving among slow clients."""
    with sqlite() as environment, ExitStack() as stack:
        os.environ |= {**environment, "DJANGO_SETTINGS_MODULE": "registry.settings"}
        ports = {name: stack.enter_context(bare_server(name)) for name in BARE}
        for connections in (CONNECTIONS, MANY_CONNECTIONS):
            loads = {
                name: partial(load, Endpoint(port, "/"), SECONDS, connections)
                for name, port in ports.items()
            }
            title = f"Bare responses, {connections} connections"
            compare(title, loads, base="granian's WSGI interface")
    with sqlite() as environment, ExitStack() as stack:
        run_manage(environment, "load_catalogue")
        run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        port = stack.enter_context(shipped_server(environment | WITHOUT_MEMORY, PATH))
        resolve = partial(load, Endpoint(port, PATH), SECONDS)
        loads = {"no slow clients": resolve, "slow clients": partial(among_slow, port, resolve)}
        compare(f"Resolving, {SLOW_CLIENTS} slow clients", loads, base="no slow clients")


@contextmanager
def bare_server(name: str) -> Iterator[int]:
    """Run an application of `benchmarks.bare_responses` and yield its port."""
    port = free_port()
    with server(BARE[name](port), port, "/"):
        yield port


BARE: dict[str, Callable[[int], list[str]]] = {
    "granian's WSGI interface": bare_servers.wsgi,
    "the hook ahead of Django": bare_servers.shortcut,
    "a thread": bare_servers.in_thread,
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


if __name__ == "__main__":
    main()
