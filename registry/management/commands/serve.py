"""Run the server of the registry."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import DatabaseError

from registry.database import release_check
from registry.management.base import RegistryCommand
from registry.management.ports import parse_port, refuse_unusable

WORKERS = 2  # one process for each of two cores
MAX_CONNECTIONS = 4096  # per process; a connection costs 30 KiB
RESERVED_FILES = 256  # for the database, libraries and logs
HEADER_TIMEOUT = 15_000  # milliseconds for the head of a request; closes idle connections too
BUFFER_SIZE = 64 * 1024  # bytes for the head of a request; most have less than 2 KiB
STOP_TIMEOUT = 25  # seconds for running requests when the server stops


class Command(RegistryCommand):
    """Replaces this process by granian, with the options that the registry needs."""

    needs_migrations = False  # the server waits for them
    help = "Run the server. It neither migrates the database nor loads the catalogue."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--workers", type=int, default=WORKERS, help="processes: one for each core"
        )

        parser.add_argument(
            "--work", action="store_true", help="run the worker, too, for as long as the server"
        )

    def handle(
        self, *_args: Any, host: str, port: int, workers: int, work: bool, **_options: Any
    ) -> None:
        """Run granian; does not return. Raises `CommandError` if the port is taken."""
        refuse_unusable(host, parse_port(str(port)), remedy="choose another one with --port.")
        with suppress(DatabaseError):  # without its database, the server waits for it
            release_check.refuse_other_release()
        command = granian(host, port, workers, connections=min(MAX_CONNECTIONS, max_connections()))
        if work:
            start_worker()
        os.execv(command[0], command)  # noqa: S606 - our own program, without a shell


def start_worker() -> None:
    """Start the worker as a child of this process, which is the server's; it ends with it."""
    command = [sys.executable, sys.argv[0], "work", "--parent", str(os.getpid())]
    subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own program


def max_connections() -> int:
    """Raise the limit on open files as far as allowed; return the connections that it permits."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else max(1, hard - RESERVED_FILES)


def task_implementation() -> str:
    """Return granian's own tasks, a tenth faster than those of asyncio, where it has them."""
    return "rust" if sys.version_info < (3, 12) else "asyncio"


def granian(host: str, port: int, workers: int, *, connections: int) -> list[str]:
    """Return the command line of the server, with at most so many connections per process."""
    return [
        str(Path(sys.executable).with_name("granian")),
        *("--host", host, "--port", str(port), "--workers", str(workers)),
        *("--interface", "rsgi", "--no-ws"),
        *("--loop", "uvloop"),
        *("--task-impl", task_implementation()),
        # An HTTP/2 connection could hold 200 slow requests; proxies use HTTP/1.1.
        *("--http", "1"),
        *("--http1-header-read-timeout", str(HEADER_TIMEOUT)),
        *("--http1-buffer-size", str(BUFFER_SIZE)),
        *("--backlog", str(MAX_CONNECTIONS), "--backpressure", str(connections)),
        *("--respawn-failed-workers", "--workers-kill-timeout", str(STOP_TIMEOUT)),
        "registry.server.process:application",
    ]
