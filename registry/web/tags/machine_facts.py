"""The facts of a machine by group, with bars that compare them, and the facts that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.kinds.expected_facts import missing_facts
from registry.domain.kinds.hardware import hardware_of
from registry.domain.kinds.kinds import HARDWARE, Kinds
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.peers import FactRange, Peer, fact_ranges
from registry.services.catalogue import coverage
from registry.web.core.units import fact_text, label
from registry.web.versions.fact_groups import Machine, hardware_machines
from registry.web.versions.values import TargetValue

POINTERS = {fact.pointer: fact for fact in COMPARABLE_FACTS.values()}
MAX_FACTS = 30  # of a machine; the hardware page has all
DESCRIBED = frozenset({"vendor", "model", "category"})  # the description of the tag has them

FAMILY, CLUSTERS = f"/{HARDWARE}/family", f"/{HARDWARE}/clusters"  # one text of many CPUs


@dataclass(frozen=True, slots=True)
class Bar:
    """A fact's share of the largest in its family, in percent, and the family's range in words."""

    share: int
    range: str


FactRow = tuple[TargetValue, Bar | None]


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """The facts of a machine by the title of their group.

    `part` has those in which a variant differs from the machine. `missing` are the labels of facts
    by which people choose, with the reason why some machines lack them, or "". `count` is the
    number of machines in the target.
    """

    groups: Mapping[str, Sequence[FactRow]]
    part: Sequence[TargetValue]
    missing: Sequence[tuple[str, str]]
    count: int

    @property
    def has_bars(self) -> bool:
        """Return whether a fact is compared with those of other tags."""
        return any(bar for rows in self.groups.values() for _, bar in rows)


def machine_facts(
    target: Json, whole: Json, kinds: Kinds, peers: Sequence[Peer], *, is_family: bool
) -> MachineFacts | None:
    """Return the facts of a target's first machine; None if it states none.

    Of a variant they are those of the machine of its name, whose target is `whole`.
    """
    own = hardware_machines(target, kinds)
    machine = next(iter(hardware_machines(whole, kinds)), None) if hardware_of(whole) else None
    if machine is None and not own:
        return None
    hardware = {**hardware_of(target), **hardware_of(whole)}  # those of the part are shown, too
    missing = () if is_family else missing_facts(hardware)
    return MachineFacts(
        _with_bars(machine or own[0], peers),
        [*_differing(own[0], machine)] if machine and own else [],
        [(_label(fact), _reason(hardware, fact)) for fact in missing],
        len(own),
    )


def _with_bars(machine: Machine, peers: Sequence[Peer]) -> dict[str, list[FactRow]]:
    """Return the first facts of each group, without those that the description has."""
    ranges = fact_ranges(peers)
    facts = {fact.pointer for fact in [*_undescribed(machine)][:MAX_FACTS]}
    groups = {
        group.title: [(fact, _bar(fact, ranges)) for fact in group.facts if fact.pointer in facts]
        for group in machine.groups
    }
    return {title: rows for title, rows in groups.items() if rows}


def _differing(part: Machine, whole: Machine) -> Iterable[TargetValue]:
    """Return the facts of a part that its machine does not state, under any name if it is text."""
    values = {fact.rest: fact.value for fact in whole.facts}
    texts = {value for value in values.values() if isinstance(value, str)}
    return (
        fact
        for fact in _undescribed(part)
        if values.get(fact.rest) != fact.value
        and not (isinstance(fact.value, str) and fact.value in texts)
    )


def _undescribed(machine: Machine) -> Iterable[TargetValue]:
    pointers = {f"/{HARDWARE}/{name}" for name in DESCRIBED}
    values = {fact.rest: fact.value for fact in machine.facts}
    if values.get(FAMILY) == values.get(CLUSTERS):
        pointers.add(FAMILY)
    return (fact for fact in machine.facts if fact.rest not in pointers)


def _label(fact: str) -> str:
    return label(*fact.split("/"))


def _reason(hardware: Mapping[str, object], fact: str) -> str:
    return coverage.unstated_facts().get((str(hardware["category"]), fact), "")


def _bar(fact: TargetValue, ranges: Mapping[str, FactRange]) -> Bar | None:
    """Return the bar of a fact of which the family states different numbers."""
    comparable = POINTERS.get(fact.pointer)
    numbers = ranges.get(comparable.name) if comparable else None
    if comparable is None or numbers is None or numbers.smallest == numbers.largest:
        return None
    if fact.quantity is None:
        return None
    smallest, largest = (
        fact_text(comparable, number) for number in (numbers.smallest, numbers.largest)
    )
    if smallest.partition(" ")[2].removesuffix("s") == largest.partition(" ")[2].removesuffix("s"):
        smallest = smallest.partition(" ")[0]
    return Bar(numbers.share(fact.quantity), f"of {smallest} to {largest}, {numbers.count} tags")
