"""Tracks the id of the current request or command, for logs, events and responses."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Accepted from a proxy: fits the event's column and needs no quoting anywhere.
PATTERN = re.compile(r"[A-Za-z0-9._-]{8,64}")
RANDOM_BYTES = 8  # 16 hex digits; a collision would only mix log lines

# Not the system's generator: asking it takes longer than to answer a request from memory, because
# Python gives up its lock meanwhile. Nobody gains anything by guessing an id.
_random = random.Random()  # noqa: S311 - see above
os.register_at_fork(after_in_child=_random.seed)

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the current request or command, empty if there is none."""
    return _current.get()


@contextmanager
def request_context(request_id: str) -> Iterator[None]:
    """Set the id of the current request or command while the block runs."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)


def accepted_id(received: str) -> str:
    """Return an id from a proxy, or an empty string if it is malformed."""
    return received if PATTERN.fullmatch(received) else ""


def new_id() -> str:
    """Return a new id of 16 hexadecimal digits."""
    return _random.randbytes(RANDOM_BYTES).hex()


def new_command_id(name: str) -> str:
    """Return a new id for a command's run, such as `command-load_catalogue-1a2b3c4d5e6f7a8b`."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "", name)[:39]  # 64 characters in total
    return f"command-{plain or 'none'}-{new_id()}"
