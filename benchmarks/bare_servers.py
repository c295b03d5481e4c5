"""Servers of bare responses: the least that a response costs on granian."""

from __future__ import annotations

import sys
from pathlib import Path

from registry.management.commands.serve import granian


def shortcut(port: int) -> list[str]:
    """Return the command of the registry's server that answers ahead of the WSGI application."""
    return _shipped("shortcut", port)


def in_thread(port: int) -> list[str]:
    """Return the command of the registry's server that answers from a thread."""
    return _shipped("in_thread", port)


def _shipped(application: str, port: int) -> list[str]:
    """Return the command of `manage.py serve` for an application of `bare_responses`."""
    command = granian("127.0.0.1", port, 2, connections=1024)
    return [*command[:-1], f"benchmarks.bare_responses:{application}"]


def wsgi(port: int) -> list[str]:
    """Return the command of granian's own WSGI interface with the same processes and threads."""
    program = str(Path(sys.executable).with_name("granian"))
    command = [program, "--interface", "wsgi", "--no-ws", "--port", str(port), "--workers", "2"]
    return [*command, "--blocking-threads", "4", "benchmarks.bare_responses:wsgi"]
