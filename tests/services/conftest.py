"""Fixtures of the tests of services."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from registry.services.core import transactions
from registry.services.event_log import tree_hashes

RunBeforeLock = Callable[[Callable[[], Any]], None]


@pytest.fixture
def no_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store no tiles of the log: every 256th event takes queries, whatever is written."""
    monkeypatch.setattr(tree_hashes, "_store_tiles", lambda _start, _hashes: None)


@pytest.fixture
def run_before_lock(monkeypatch: pytest.MonkeyPatch) -> RunBeforeLock:
    """Return a function that schedules a write for just before the next write gets the lock."""
    write_lock = transactions.write_lock

    def schedule(write: Callable[[], Any]) -> None:
        @contextmanager
        def delayed_lock() -> Iterator[None]:
            monkeypatch.setattr(transactions, "write_lock", write_lock)
            write()
            with write_lock():
                yield

        monkeypatch.setattr(transactions, "write_lock", delayed_lock)

    return schedule
