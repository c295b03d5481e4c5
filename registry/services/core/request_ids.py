"""Which request or command is at work: its id, for the log, for events and for answers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# What is taken over from a proxy. It fits the event's column, and needs no quoting anywhere.
FORM = re.compile(r"[A-Za-z0-9._-]{8,64}")
RANDOM_BYTES = 8  # as 16 hex digits short enough to read out; two alike would only share log lines

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request or command that this is part of; empty where there is none."""
    return _current.get()


@contextmanager
def request_context(request_id: str) -> Iterator[None]:
    """All that happens inside is part of this request or command."""
    before = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(before)


def new_request_id(given: str = "") -> str:
    """The given id where it has the form of one, else a new one."""
    return given if FORM.fullmatch(given) else secrets.token_hex(RANDOM_BYTES)


def new_command_id(name: str) -> str:
    """A new id for a run of a command, as in `command-load_catalogue-1a2b3c4d5e6f7a8b`."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "", name)[:39]  # 64 in all
    return f"command-{plain or 'none'}-{secrets.token_hex(RANDOM_BYTES)}"
