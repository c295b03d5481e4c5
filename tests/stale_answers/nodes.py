"""Servers of one registry, and clients in processes of their own that look for stale answers."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from tests.databases import new_registry
from tests.patience import PATIENCE
from tests.serving import Server, create_token, run_server
from tests.stale_answers.hammer import Result, hammer

CLIENTS = 3
SCOPES = ("publish", "yank", "admin")
VARIABLES = {
    "REGISTRY_RATE_ACCOUNT": "none",
    "REGISTRY_RATE_ANONYMOUS": "none",
    "SECRET_KEY": "the key of a test, which all nodes share",
}


@contextmanager
def nodes(folder: Path) -> Iterator[tuple[list[Server], str]]:
    """Run the server; on PostgreSQL two of them. Yield them and a token."""
    with new_registry(folder / "one", loaded=True) as environment:
        token = create_token(environment | VARIABLES, *SCOPES)
        if not os.environ.get("DATABASE_URL"):
            with run_server(folder / "one", VARIABLES, workers=2) as server:
                yield [server], token
            return
        variables = VARIABLES | {"DATABASE_URL": environment["DATABASE_URL"]}
        with (
            run_server(folder / "one", variables) as first,
            run_server(folder / "two", variables) as second,
        ):
            yield [first, second], token


def hammer_all(ports: list[int], token: str, seconds: float) -> list[Result]:
    """Run the clients, each in a process of its own."""
    with ProcessPoolExecutor(CLIENTS, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(hammer, ports, token, f"tag{n}", seconds) for n in range(CLIENTS)]
        return [job.result(timeout=PATIENCE) for job in jobs]
