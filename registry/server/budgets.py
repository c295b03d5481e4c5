"""Processor time that networks may take: a burst, a little all the time, else a shared rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

# Decision 181: readers without a pause leave the processors to builds.
BURST = 2.0  # seconds of processor time, 40 to 100 pages
ALWAYS = 0.02  # of a core: a page every two seconds
TYPICAL = 0.025  # seconds of processor time of a page, until it is known what it took
MANY = 1024  # networks; from then on, those that owe nothing are forgotten

Clock = Callable[[], float]


class Debts:
    """Seconds that networks owe. They pay one in each second."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._even: dict[str, float] = {}  # when each network will owe nothing
        self._many = MANY

    def of(self, network: str) -> float:
        """Return the seconds that a network owes now."""
        now = self._clock()
        return max(0.0, self._even.get(network, now) - now)

    def add(self, network: str, seconds: float) -> None:
        now = self._clock()
        self._even[network] = max(now, self._even.get(network, now)) + seconds
        if len(self._even) > self._many:
            self._even = {each: even for each, even in self._even.items() if even > now}
            self._many = max(MANY, 2 * len(self._even))

    def count_above(self, seconds: float) -> int:
        """Return how many networks owe more."""
        moment = self._clock() + seconds
        return sum(even > moment for even in self._even.values())


class Reservation(NamedTuple):
    """The reservation for a request, which may begin after `pause` seconds."""

    network: str
    pause: float
    price: float  # seconds of waiting for a second of processor time


class Budget:
    """The processor time of requests that cost much.

    A network that takes a burst, and after that a little all the time, never waits. Those that take
    more share a part of a core, `share`, equally. Only the event loop may use this.
    """

    def __init__(self, share: float, *, clock: Clock = time.monotonic) -> None:
        self._share = share
        self._taken = Debts(clock)
        self._waits = Debts(clock)

    def reserve(self, network: str) -> Reservation:
        """Take the time of a typical request, and return when it may begin."""
        reservation = Reservation(network, self._waits.of(network), self._price(network))
        self._take(reservation, TYPICAL)
        return reservation

    def settle(self, reservation: Reservation, seconds: float) -> None:
        """Take what a request took in place of what was reserved; 0 if it never began."""
        self._take(reservation, seconds - TYPICAL)

    def _take(self, reservation: Reservation, seconds: float) -> None:
        self._taken.add(reservation.network, seconds / ALWAYS)
        self._waits.add(reservation.network, seconds * reservation.price)

    def _price(self, network: str) -> float:
        if self._taken.of(network) <= BURST / ALWAYS:
            return 0.0
        return self._taken.count_above(BURST / ALWAYS) / self._share
