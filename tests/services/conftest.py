"""What the tests of services share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from registry.services.core import transactions

Meanwhile = Callable[[Callable[[], Any]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let the next writer compute all it wants, then write, then let it have the lock."""
    exclusive = transactions.write_lock

    def arrange(write: Callable[[], Any]) -> None:
        @contextmanager
        def late() -> Iterator[None]:
            monkeypatch.setattr(transactions, "write_lock", exclusive)
            write()
            with exclusive():
                yield

        monkeypatch.setattr(transactions, "write_lock", late)

    return arrange
