"""Tracks the id of the current request or command, for logs, events and responses."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Accepted from a proxy: fits the event's column and needs no quoting anywhere.
PATTERN = re.compile(r"[A-Za-z0-9._-]{8,64}")
RANDOM_BYTES = 8  # 16 hex digits; a collision would only mix log lines

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


def new_request_id(received: str = "") -> str:
    """Return the received id if it is well-formed, otherwise a new one."""
    return received if PATTERN.fullmatch(received) else secrets.token_hex(RANDOM_BYTES)


def new_command_id(name: str) -> str:
    """Return a new id for a command's run, such as `command-load_catalogue-1a2b3c4d5e6f7a8b`."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "", name)[:39]  # 64 characters in total
    return f"command-{plain or 'none'}-{secrets.token_hex(RANDOM_BYTES)}"
