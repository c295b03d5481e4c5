"""Share a few builds among machines so that they lose as little as possible.

A machine is a set of features. A build for several machines has the features that all of them
have; each of them loses the others. The loss of a grouping is the number of lost features, each
counted once for every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

Features = frozenset[str]

MAX_EXACT = 16  # distinct machines; the time of an exact search grows exponentially with them
MAX_STEPS = 300_000  # of a search, about a second; machines that people own take hundreds


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of machines by index, each with one build.

    `loss` is what all machines lose; `is_optimal` says that no other grouping loses less.
    """

    groups: tuple[tuple[int, ...], ...]
    loss: int
    is_optimal: bool


def group(machines: Sequence[Features], counts: Sequence[int], builds: int) -> Grouping:
    """Return a grouping of distinct machines into at most `builds` groups, with the least loss.

    `counts` says how many there are of each machine. Up to 16 machines it is optimal, unless they
    are so unlike each other that a search takes too long; of more, the two groups that lose least
    by it are merged, again and again.
    """
    singles = _singles(machines, counts)
    merged = _merged(singles, builds)
    if len(machines) <= builds or len(machines) > MAX_EXACT:
        return _grouping(merged, is_optimal=len(machines) <= builds)
    search = _Search(builds, best=merged, least=_loss(merged))
    return _grouping(search.run(singles), is_optimal=search.steps <= MAX_STEPS)


@dataclass(frozen=True, slots=True)
class _Group:
    """Some machines: the bits of the features that they share, and what they lose."""

    members: tuple[int, ...]
    shared: int
    count: int
    loss: int = 0

    def with_group(self, other: _Group) -> _Group:
        """Return one group for both, in which each loses what the other lacks."""
        shared = self.shared & other.shared
        size = shared.bit_count()
        lost = self.count * (self.shared.bit_count() - size)
        lost += other.count * (other.shared.bit_count() - size)
        return _Group(
            self.members + other.members,
            shared,
            self.count + other.count,
            self.loss + other.loss + lost,
        )


def _singles(machines: Sequence[Features], counts: Sequence[int]) -> list[_Group]:
    bits = {name: 1 << place for place, name in enumerate(sorted(frozenset().union(*machines)))}
    return [
        _Group((index,), sum(bits[name] for name in machine), count)
        for index, (machine, count) in enumerate(zip(machines, counts, strict=True))
    ]


def _loss(groups: Sequence[_Group]) -> int:
    return sum(each.loss for each in groups)


def _grouping(groups: Sequence[_Group], *, is_optimal: bool) -> Grouping:
    members = sorted(tuple(sorted(each.members)) for each in groups)
    return Grouping(tuple(members), _loss(groups), is_optimal)


def _merged(singles: Sequence[_Group], builds: int) -> list[_Group]:
    """Return few enough groups, by merging the two that lose least by it."""
    groups = list(singles)
    while len(groups) > builds:
        one, other = min(combinations(groups, 2), key=lambda pair: _cost_of_merging(*pair))
        groups = [each for each in groups if each not in (one, other)]
        groups.append(one.with_group(other))
    return groups


def _cost_of_merging(one: _Group, other: _Group) -> int:
    return one.with_group(other).loss - one.loss - other.loss


@dataclass(slots=True)
class _Search:
    """A search through all groupings, but for those that cannot lose less than the best so far.

    Machines are placed one after another, into each group and into a new one. A group never loses
    less with another machine. A machine that is not alone loses at least what it has beyond the
    machine that is most like it; those that lose most by it are placed first.
    """

    builds: int
    best: Sequence[_Group]
    least: int
    groups: list[_Group] = field(default_factory=list)
    steps: int = 0

    def run(self, singles: Sequence[_Group]) -> Sequence[_Group]:
        """Return the groups that lose least."""
        losses = {machine: _least_loss(machine, singles) for machine in singles}
        order = sorted(singles, key=lambda machine: -losses[machine])
        self._place(order, [losses[machine] for machine in order], 0)
        return self.best

    def _place(self, machines: Sequence[_Group], losses: Sequence[int], lost: int) -> None:
        """Place the machines that are left; `losses`, largest first, if they are not alone."""
        self.steps += 1
        free = self.builds - len(self.groups)
        if self.steps > MAX_STEPS or lost + sum(losses[free:]) >= self.least:
            return
        if not machines:
            self.best, self.least = list(self.groups), lost
            return
        machine, *others = machines
        for place, members in self._nearest_first(machine):
            joined = members.with_group(machine)
            self.groups[place] = joined
            self._place(others, losses[1:], lost + joined.loss - members.loss)
            self.groups[place] = members
        if free:
            self.groups.append(machine)
            self._place(others, losses[1:], lost)
            self.groups.pop()

    def _nearest_first(self, machine: _Group) -> list[tuple[int, _Group]]:
        places = list(enumerate(self.groups))
        return sorted(places, key=lambda pair: _cost_of_merging(pair[1], machine))


def _least_loss(machine: _Group, machines: Sequence[_Group]) -> int:
    """Return the least that a machine loses in a group with any other."""
    others = (other for other in machines if other is not machine)
    sizes = ((machine.shared & other.shared).bit_count() for other in others)
    return machine.count * (machine.shared.bit_count() - max(sizes, default=0))
