"""Amounts that requests share, so that no client's network takes all of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class QuotaUsed(Exception):
    """Requests use all of an amount, or a network uses its share of it."""


class Quota:
    """An amount, at most `limit` in all and `of_network` for one network.

    Only the event loop may use this.
    """

    def __init__(self, limit: int, of_network: int) -> None:
        self._limit = limit
        self._of_network = of_network
        self._by_network: Counter[str] = Counter()
        self.used = 0

    def take(self, network: str, amount: int = 1) -> None:
        """Add to what a network uses. Raises `QuotaUsed` if that would be too much."""
        of_network = self._by_network[network] + amount
        if self.used + amount > self._limit or of_network > self._of_network:
            raise QuotaUsed
        self._by_network[network] = of_network
        self.used += amount

    def give_back(self, network: str, amount: int = 1) -> None:
        """Subtract from what a network uses. Networks that use nothing take no memory."""
        self.used -= amount
        self._by_network[network] -= amount
        if not self._by_network[network]:
            del self._by_network[network]

    @contextmanager
    def one(self, network: str) -> Iterator[None]:
        """Use one for the duration of the block. Raises `QuotaUsed`."""
        self.take(network)
        try:
            yield
        finally:
            self.give_back(network)
